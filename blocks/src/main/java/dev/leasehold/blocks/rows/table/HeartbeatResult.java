package dev.leasehold.blocks.rows.table;

/** What the table says to the heartbeat of a worker. */
public sealed interface HeartbeatResult {
  /**
   * The worker keeps the row.
   *
   * @param remainingMillis how long, from the time that the caller gave
   */
  record Extended(long remainingMillis) implements HeartbeatResult {}

  /**
   * The table does not have this hold; or has an older one, since its news is older than the
   * worker's. The store knows.
   */
  record Unknown() implements HeartbeatResult {}

  /** The hold is over: a later one is here, or its token belongs to another worker. */
  record Superseded() implements HeartbeatResult {}

  /**
   * The row is just being taken from this worker. The caller answers when that is settled, and asks
   * again then.
   */
  record Reaping() implements HeartbeatResult {}
}
