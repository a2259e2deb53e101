package dev.leasehold.store.jdbc;

/** One link of the store's chain. */
record Link(long height, String value) {}
