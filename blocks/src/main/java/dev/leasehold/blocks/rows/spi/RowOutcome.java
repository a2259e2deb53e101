package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.BlockOutcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;

/**
 * The result of a command on a leased row.
 *
 * @param <R> what a block answers about its own columns
 */
public sealed interface RowOutcome<R> {
  /**
   * Whether this outcome still holds when an earlier copy of its command, of which the sender has
   * heard nothing, arrives after it.
   *
   * <ul>
   *   <li>take: a copy that arrives while the hold lasts is told of it. One that arrives after its
   *       end takes the row again: its process finds, when it reads the rows under its anchors, one
   *       that it does not know, and gives it back
   *   <li>write: the block recognises a repeat by its own columns
   *   <li>give back, free, move: a copy finds that hold ended, or where it was to be
   * </ul>
   */
  default boolean isFinal() {
    return switch (this) {
      case Taken<R> taken -> true;
      case Written<R> written -> true;
      case GivenBack<R> givenBack -> true;
      case Freed<R> freed -> true;
      case Moved<R> moved -> true;
      case Superseded<R> superseded -> true;
      case Ended<R> ended -> true;
      case NotThere<R> notThere -> true;
      // The row may become free, due or free of this obstacle before the copy arrives.
      case NotFree<R> notFree -> false;
      case NotDue<R> notDue -> false;
      case Declined<R> declined -> false;
      case Unissued<R> unissued -> false;
      case SessionOver<R> over -> true;
      case Rejected<R> rejected -> false;
      case Failed<R> failed -> false;
    };
  }

  /** The sender holds the row. */
  record Taken<R>(RowHold hold) implements RowOutcome<R> {}

  /** Another hold lasts. */
  record NotFree<R>(RowHold by) implements RowOutcome<R> {}

  /** The block does not want the row to be taken now. */
  record NotDue<R>() implements RowOutcome<R> {}

  /** The row's own columns are changed. */
  record Written<R>(R answer) implements RowOutcome<R> {}

  /** The holder may write, and the block has declined this change. Nothing was changed. */
  record Declined<R>(R why) implements RowOutcome<R> {}

  /** The row is free, by the sender. */
  record GivenBack<R>() implements RowOutcome<R> {}

  /** The hold that the sender named has ended. */
  record Freed<R>() implements RowOutcome<R> {}

  /** The hold stands under the sender's anchor. */
  record Moved<R>(RowHold hold) implements RowOutcome<R> {}

  /** The hold has ended, and no other has followed: the row was freed, or given back. */
  record Ended<R>() implements RowOutcome<R> {}

  /** The hold is not the sender's, or not any more: another has followed, or it has moved. */
  record Superseded<R>(Token current) implements RowOutcome<R> {}

  /** The store never issued the token that was brought: it may have lost writes. */
  record Unissued<R>(Token last) implements RowOutcome<R> {}

  /** There is no such row. */
  record NotThere<R>() implements RowOutcome<R> {}

  /** The sender's session may do this no more. Nothing was changed. */
  record SessionOver<R>(SessionStanding why) implements RowOutcome<R> {}

  /** The store will never accept this command from this sender. Nothing was changed. */
  record Rejected<R>(String why) implements RowOutcome<R>, BlockOutcome.Rejected {}

  /** There is no outcome. The caller may send the same command again to get one. */
  record Failed<R>(Certainty certainty, String detail)
      implements RowOutcome<R>, BlockOutcome.Failed {}
}
