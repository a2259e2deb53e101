package dev.leasehold.fence.jdbc;

import java.sql.SQLException;

/** The check was rolled back because of others, before the change began. */
final class NotEntered extends Exception {
  private static final long serialVersionUID = 1L;

  final SQLException failure;

  NotEntered(SQLException failure) {
    super(failure);
    this.failure = failure;
  }
}
