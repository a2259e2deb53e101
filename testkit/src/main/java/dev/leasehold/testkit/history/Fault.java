package dev.leasehold.testkit.history;

/** Something that was done to the store on purpose. Times are the shared ticker's. */
public sealed interface Fault extends Event, Evidence {
  record StoreRestarted(long nanos) implements Fault {}

  /** The store's clock was stepped; per record its time still never goes back. */
  record ClockStepped(long nanos, long byMillis) implements Fault {}

  /**
   * A backup was restored. Commands in flight in between may be lost; tokens still increase and
   * fences still hold, and nothing else is promised across it.
   *
   * @param backupNanos from when on writes are not in the backup
   * @param restoredNanos when clients could reach the restored store
   */
  record RolledBack(long backupNanos, long restoredNanos) implements Fault {}

  /** The store's incarnation was advanced, and its caller was told so at this time. */
  record IncarnationAdvanced(long nanos, int incarnation) implements Fault {}
}
