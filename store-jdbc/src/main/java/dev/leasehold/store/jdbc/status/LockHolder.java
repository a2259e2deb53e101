package dev.leasehold.store.jdbc.status;

/**
 * A database backend whose transaction has a lease's row locked, or a prepared transaction that has
 * it locked without a backend.
 *
 * @param pid 0 for a prepared transaction
 * @param sinceMillis for how long its transaction has been open; 0 if this role may not see that
 * @param client its address, {@code local} for a socket, {@code hidden} if this role may not see
 *     it, {@code prepared} for a prepared transaction
 * @param application the client's application name, or the name of the prepared transaction; may be
 *     empty
 */
public record LockHolder(long pid, long sinceMillis, String client, String application) {
  /**
   * Whether it is part of a two-phase commit. Only the coordinator can end it; the store's limits
   * do not apply.
   */
  public boolean isPrepared() {
    return pid == 0;
  }

  /** Whether this role may not see how long it has been open. */
  public boolean isHidden() {
    return client.equals("hidden");
  }

  /** The statement that ends it, for a role that may. */
  public String endedBy() {
    return isPrepared()
        ? "ROLLBACK PREPARED '" + application.replace("'", "''") + "'"
        : "SELECT pg_terminate_backend(" + pid + ")";
  }

  /** For people: in logs, errors and reports. */
  @Override
  public String toString() {
    if (isPrepared()) {
      return "prepared transaction " + application + ", open for " + sinceMillis + " ms";
    }
    return "backend "
        + pid
        + " ("
        + (application.isEmpty() ? "no application name" : application)
        + ", client "
        + client
        + "), in a transaction "
        + (isHidden() ? "whose age this role may not see" : "for " + sinceMillis + " ms");
  }
}
