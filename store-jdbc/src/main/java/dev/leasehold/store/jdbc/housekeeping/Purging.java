package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.Session;
import java.sql.SQLException;

/** A chore that operators can have done with a limit. */
public interface Purging extends Chore {
  /** Purges as many as the limit of a page, in the caller's transaction; returns how many. */
  int purge(Session session, Page page, long nowMillis, int limit) throws SQLException;
}
