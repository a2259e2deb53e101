package dev.leasehold.kernel.model;

/**
 * The state of a grant. {@code Open} and {@code Lapsed} grants are <em>current</em>: until another
 * grant follows, their writes are admitted. An {@code Ended} grant never becomes valid again.
 */
public sealed interface Standing {
  Standing OPEN = new Open();
  Standing LAPSED = new Lapsed();

  /** The grant can be renewed until it expires. */
  record Open() implements Standing {}

  /** The grant was found expired: it can never be renewed again, even if the clock is set back. */
  record Lapsed() implements Standing {}

  /**
   * The grant was released, abandoned, revoked, stalled, or ended by an advanced incarnation. One
   * that was handed over or taken over is no longer the latest, so the store remembers only its
   * reason.
   */
  record Ended(LossReason reason, long atMillis) implements Standing {}
}
