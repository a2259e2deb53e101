package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.model.LeaseRecord;

/** A record as a reader sees it, with the store's time at that moment. It contains no secret. */
public record LeaseReading(LeaseRecord record, long atMillis) {}
