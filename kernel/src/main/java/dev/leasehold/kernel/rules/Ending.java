package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;

/** Why a grant ended that is no longer the latest of its key. */
public record Ending(Token token, LossReason reason) {}
