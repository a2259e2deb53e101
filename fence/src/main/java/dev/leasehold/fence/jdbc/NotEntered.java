package dev.leasehold.fence.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** The check was rolled back because of others, before the change began. */
final class NotEntered extends Exception {
  private static final long serialVersionUID = 1L;

  private static final Set<String> RESTARTS = Set.of("40001", "40P01");

  final SQLException failure;

  NotEntered(SQLException failure) {
    super(failure);
    this.failure = failure;
  }

  /** Whether a transaction that failed so may just be run again. */
  static boolean isRestart(SQLException failure) {
    return failure.getSQLState() != null && RESTARTS.contains(failure.getSQLState());
  }
}
