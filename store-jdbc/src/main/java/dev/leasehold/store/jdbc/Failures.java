package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Set;

/** What a failure of the database means for the commands that met it. */
enum Failures {
  /** Rolled back because of others: the same again will do. */
  RESTART,
  /** Somebody else keeps a row locked; nothing was changed. */
  LOCKED,
  /** No connection could be had; nothing was sent. */
  UNREACHABLE,
  /** The connection is gone, and nobody knows what became of what was sent. */
  CUT_OFF,
  /** The statement itself failed, and was rolled back. */
  REFUSED;

  private static final Set<String> RESTARTS = Set.of("40001", "40P01", "40003");
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final int SQLITE_BUSY = 5;
  private static final int SQLITE_PRIMARY_CODE = 0xff;

  static Failures of(SQLException failure) {
    String state = failure.getSQLState() == null ? "" : failure.getSQLState();
    if (failure instanceof SQLTransientConnectionException) {
      return UNREACHABLE;
    }
    if (RESTARTS.contains(state)) {
      // 40003 is CockroachDB's ambiguous result: sent again under the same request ids, it is told.
      return RESTART;
    }
    if (state.equals(LOCK_NOT_AVAILABLE)
        || (state.isEmpty() && (failure.getErrorCode() & SQLITE_PRIMARY_CODE) == SQLITE_BUSY)) {
      return LOCKED;
    }
    // 08: connection; 57P: shut down by an operator or a crash; 58 and 53: the server is in
    // trouble.
    boolean cutOff = state.startsWith("08") || state.startsWith("57P");
    return cutOff ? CUT_OFF : REFUSED;
  }
}
