package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;

/** A table that is tidied page by page, in the order of its primary key. */
public interface Chore {
  /** Its name in {@code leasehold_housekeeping}. */
  String name();

  /** Finds the page within these bounds, without locking anything. */
  Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis) throws SQLException;

  /**
   * Removes the rows of the page that are not needed any more, in the caller's transaction; returns
   * how many.
   */
  int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException;
}
