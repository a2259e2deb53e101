package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;

/** How a grant ended that is no longer the latest of its key. */
public record Ending(Token token, LossReason reason) {}
