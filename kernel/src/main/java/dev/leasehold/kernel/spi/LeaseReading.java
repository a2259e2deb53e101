package dev.leasehold.kernel.spi;

import dev.leasehold.kernel.LeaseRecord;

/** A record as a reader sees it, with the store time of the reading. It holds no secret. */
public record LeaseReading(LeaseRecord record, long atMillis) {}
