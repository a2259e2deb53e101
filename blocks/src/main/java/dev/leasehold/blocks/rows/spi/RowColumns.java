package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import java.util.Optional;

/**
 * What a block says of its own columns: pure functions. Who holds a row is not its concern; it is
 * asked only after {@link RowRules} have let a command pass.
 *
 * @param <S> the block's own columns
 * @param <P> a change that a command asks for
 * @param <R> an answer about the columns
 */
public interface RowColumns<S, P, R> {
  /** The columns of a row that was never written; empty: such a row cannot be taken. */
  Optional<S> blank();

  /** Whether a free row may be taken now, by this change. */
  boolean isDue(S own, P change, long nowMillis);

  S taken(S own, P change, RowHold hold, long nowMillis);

  /** What comes of a write, or of the change that comes with a give-back. */
  Change<S, R> written(S own, P change, RowHold hold, long nowMillis);

  /** What becomes of a row whose hold others have ended, in the same step. */
  S freed(S own, RowHold was, long nowMillis);

  /** What comes of a change. */
  sealed interface Change<S, R> {
    /** The columns are changed, or have been by an earlier copy of the command. */
    record Made<S, R>(S after, R answer) implements Change<S, R> {}

    /** Nothing is changed. */
    record Declined<S, R>(R why) implements Change<S, R> {}
  }
}
