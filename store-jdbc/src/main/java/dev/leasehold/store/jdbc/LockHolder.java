package dev.leasehold.store.jdbc;

/**
 * A backend of the database whose transaction has a lease's row locked.
 *
 * @param sinceMillis for how long its transaction has been open; 0 where this role may not see that
 * @param client its address, {@code local} for a socket, {@code hidden} where this role may not see
 *     it
 * @param application as it names itself; may be empty
 */
public record LockHolder(long pid, long sinceMillis, String client, String application) {
  /** For people: in logs, errors and reports. */
  @Override
  public String toString() {
    return "backend "
        + pid
        + " ("
        + (application.isEmpty() ? "no application name" : application)
        + ", client "
        + client
        + "), in a transaction for "
        + sinceMillis
        + " ms";
  }
}
