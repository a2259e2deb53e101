package dev.leasehold.verification.simulation;

/**
 * A defect that real stores have had, planted into the simulated one: some seed must find it, or
 * its kin would be found on a real database only.
 */
public enum Plant {
  /** The store as it should be. */
  NONE,
  /**
   * An acquire that is refused locks its row until its commit, and a renewal that finds a row
   * locked counts as failed: contenders starve a healthy holder.
   */
  CONTENDERS_LOCK_AND_RENEWALS_SKIP,
  /** A command whose row is locked waits for it with a connection: strangers wait behind it. */
  LOCKED_ROWS_KEEP_CONNECTIONS,
  /**
   * Whoever deletes a row raises its bucket's floor under a lock that lets others read it, and a
   * row that is locked is taken for one that is absent: tokens go back.
   */
  FLOOR_RAISED_UNDER_A_WEAK_LOCK,
  /** The check at effect reads the record and locks nothing. */
  CHECK_WITHOUT_LOCK,
  /** A store that went back is trusted again once it has written as much as it had before. */
  ROLLBACK_FORGOTTEN
}
