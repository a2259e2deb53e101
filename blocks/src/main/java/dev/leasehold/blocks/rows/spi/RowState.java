package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.fence.Token;
import java.util.Optional;

/**
 * Who holds a row.
 *
 * @param last the token of its latest take; of a row that was never taken, the floor. It moves at a
 *     take and at nothing else, for the life of the row's id
 * @param hold the current one; empty: the row is free
 */
public record RowState(Token last, Optional<RowHold> hold) {
  /** A row that nothing holds. */
  public static RowState free(Token last) {
    return new RowState(last, Optional.empty());
  }

  static RowState held(RowHold hold) {
    return new RowState(hold.token(), Optional.of(hold));
  }
}
