package dev.leasehold.fence.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** The check was rolled back because of a concurrent transaction, before the change began. */
final class CheckRolledBack extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Set<String> RESTARTS = Set.of("40001", "40P01");

  final SQLException failure;

  CheckRolledBack(SQLException failure) {
    super(failure);
    this.failure = failure;
  }

  /** Whether a transaction that failed with this error can be run again. */
  static boolean isRestart(SQLException failure) {
    return failure.getSQLState() != null && RESTARTS.contains(failure.getSQLState());
  }
}
