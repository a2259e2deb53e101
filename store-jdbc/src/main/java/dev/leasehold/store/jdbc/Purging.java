package dev.leasehold.store.jdbc;

import java.sql.SQLException;

/** A chore that operators can have done with a limit. */
interface Purging extends Chore {
  /** Purges as many as the limit of a page, in the caller's transaction; returns how many. */
  int purge(Session session, Page page, long nowMillis, int limit) throws SQLException;
}
