package dev.leasehold.store.jdbc;

import dev.leasehold.fence.jdbc.JdbcFence;

/** Fences that keep their marks beside the leases, for targets that keep none of their own. */
@FunctionalInterface
public interface StoreMarks {
  JdbcFence fence(String target);
}
