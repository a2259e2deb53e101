package dev.leasehold.kernel;

/**
 * Where a grant stands. {@code Open} and {@code Lapsed} grants are <em>current</em>: until somebody
 * follows, their writes are still in order. An {@code Ended} one is nothing, for ever.
 */
public sealed interface Standing {
  Standing OPEN = new Open();
  Standing LAPSED = new Lapsed();

  /** Can be renewed until it expires. */
  record Open() implements Standing {}

  /** Was found expired: closed to renewal for good, whatever the clock does later. */
  record Lapsed() implements Standing {}

  /**
   * Released or abandoned, revoked, stalled, or ended by an advanced incarnation. One that was
   * handed over or taken over is no longer the latest, and only its reason is remembered.
   */
  record Ended(LossReason reason, long atMillis) implements Standing {}
}
