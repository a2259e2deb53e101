package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.InstanceId;

/** Who leads, as this replica was told last; it may be over already. */
public record Leader(String holder, InstanceId instanceId, Token token) {}
