package dev.leasehold.kernel.spi;

/** How many keys were purged. If this equals the limit, there may be more. */
public record PurgeReport(int purged) {}
