package dev.leasehold.blocks.rows.table;

/** What the store made of a row whose worker was silent. */
public sealed interface ReapOutcome {
  /** The row is not held under this token any more, or not behind this server. */
  record Freed() implements ReapOutcome {}

  /**
   * Nothing was changed, and nothing that is on its way will change it: the worker keeps the row
   * until this deadline at least, and with each heartbeat for longer.
   */
  record StillHeld(long deadlineMillis) implements ReapOutcome {}
}
