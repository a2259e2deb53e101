package dev.leasehold.blocks.rows.spi;

import dev.leasehold.kernel.model.LossReason;

/**
 * What a transaction sees of a session, with its lease locked until the commit: whether the anchor
 * that a command names stands under the sender's grant, and whether that grant is current and
 * unexpired by the store's clock.
 */
public sealed interface SessionStanding {
  SessionStanding ALIVE = new Alive();

  /** The session may take, free, move and adopt. */
  record Alive() implements SessionStanding {}

  /** The grant is over, or has expired: its process must start again with a new session. */
  record Over(LossReason why) implements SessionStanding {}

  /** The anchor does not stand under this grant, or was adopted: nothing is put there. */
  record NotItsAnchor() implements SessionStanding {}
}
