package dev.leasehold.store.jdbc.health;

/** One link of the store's chain. */
record Link(long height, String value) {}
