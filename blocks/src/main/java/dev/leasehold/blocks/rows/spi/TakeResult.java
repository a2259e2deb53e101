package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;

/** What the rules say of a take. */
public sealed interface TakeResult {
  /** The row is the taker's from now on. */
  record Taken(RowHold hold) implements TakeResult {}

  /** An earlier copy of this take has succeeded, and the hold lasts. Nothing changes. */
  record AlreadyTaken(RowHold hold) implements TakeResult {}

  /** Another hold of the row lasts. */
  record NotFree(RowHold by) implements TakeResult {}

  /** The block does not want the row to be taken now. */
  record NotDue() implements TakeResult {}

  /** The taker may take nothing. */
  record Refused(SessionStanding why) implements TakeResult {}
}
