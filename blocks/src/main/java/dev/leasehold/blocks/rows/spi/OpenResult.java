package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.Anchor;

/** What came of opening the anchors of a session. */
public sealed interface OpenResult {
  /**
   * The anchors are the session's.
   *
   * @param own for rows that its process works on
   * @param served for rows of workers behind it
   */
  record Opened(Anchor own, Anchor served) implements OpenResult {}

  /** The session is over. */
  record Refused(SessionStanding why) implements OpenResult {}
}
