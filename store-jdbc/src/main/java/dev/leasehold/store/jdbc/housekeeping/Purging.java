package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;

/** A chore that operators can also run with a limit. */
public interface Purging extends Chore {
  /** Purges at most this many keys of a page, in the caller's transaction; returns how many. */
  int purge(StoreConnection connection, Page page, long nowMillis, int limit) throws SQLException;

  @Override
  default int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException {
    return purge(connection, page, nowMillis, Integer.MAX_VALUE);
  }
}
