package dev.leasehold.kernel.rules;

import dev.leasehold.kernel.LeaseRecord;

/** All that a decision about one key rests on. */
public record KeyState(LeaseRecord record, Era era, Recollection memory) {}
