package dev.leasehold.blocks.rows.spi;

/** The store's time and incarnation at a decision, read under the lock that it needs. */
public record DecisionMoment(long nowMillis, int incarnation) {}
