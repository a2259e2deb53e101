package dev.leasehold.blocks.leader;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;

/** The leader that this replica saw last; its term may be over already. */
public record Leader(String holder, InstanceId instanceId, Token token) {}
