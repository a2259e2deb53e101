package dev.leasehold.blocks.rows.spi;

import dev.leasehold.kernel.model.LossReason;

/** What has become of a session, by the store's record of its lease. */
public sealed interface SessionState {
  /** Its process keeps it. */
  record Alive(long remainingMillis) implements SessionState {}

  /**
   * Its time has run out. Before its rows may be touched, the store must end the grant for good.
   */
  record Expired() implements SessionState {}

  /** It was taken away, and its process may not know of it for this time. */
  record StillTrusted(LossReason reason, long remainingMillis) implements SessionState {}

  /** It is over for good, and its process knows, or has stopped to trust it. */
  record Ended(LossReason reason) implements SessionState {}
}
