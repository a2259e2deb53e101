package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.model.LeaseRecord;

/** Everything that a decision about one key depends on. */
public record KeyState(
    LeaseRecord record, StoreIncarnation storeIncarnation, RequestMemory memory) {}
