package dev.leasehold.kernel.spi;

/** How many keys were purged; as many as the limit means that there may be more. */
public record PurgeReport(int purged) {}
