package dev.leasehold.verification.simulation;

/** A defect that real stores have had, planted into the simulated one: some seed must find it. */
public enum Plant {
  /** The store without a defect. */
  NONE,
  /**
   * An acquire that is refused locks its row until its commit, and a renewal that finds a row
   * locked counts as failed: contenders starve a healthy holder.
   */
  CONTENDERS_LOCK_AND_RENEWALS_SKIP,
  /**
   * A command whose row is locked waits for it while it occupies a connection, so commands on other
   * keys wait too.
   */
  LOCKED_ROWS_KEEP_CONNECTIONS,
  /**
   * A transaction that deletes a row raises its bucket's floor under a lock that lets others read
   * it, and a locked row is taken for an absent one: tokens go back.
   */
  FLOOR_RAISED_UNDER_A_WEAK_LOCK,
  /** The check at effect reads the record and locks nothing. */
  CHECK_WITHOUT_LOCK,
  /** A store that went back is trusted again once it has written as much as it had before. */
  ROLLBACK_FORGOTTEN
}
