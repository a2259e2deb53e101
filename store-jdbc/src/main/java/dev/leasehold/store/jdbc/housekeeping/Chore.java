package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.Session;
import java.sql.SQLException;

/** A table that is tidied page by page, in the order of its primary key. */
public interface Chore {
  /** As it is called in {@code leasehold_housekeeping}. */
  String name();

  /** Finds the page that begins here; locks nothing. */
  Page page(Session session, Page.Bounds bounds, long nowMillis) throws SQLException;

  /** Removes what can go, in the caller's transaction; returns how many rows that were. */
  int tidy(Session session, Page page, long nowMillis) throws SQLException;
}
