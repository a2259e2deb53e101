package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.fence.Token;

/** Whether the sender of a token holds the row. */
public sealed interface HoldCheck {
  /** It does. */
  record Holds(RowHold hold) implements HoldCheck {}

  /**
   * The hold under this token has ended, and no other has followed. A repeat of the command that
   * ended it is answered as the first copy was.
   */
  record Ended() implements HoldCheck {}

  /** The hold is another's: of a later token, of another worker, or of an earlier incarnation. */
  record Superseded(Token current) implements HoldCheck {}

  /** The store never issued this token for the row: it may have lost writes. */
  record Unissued(Token last) implements HoldCheck {}
}
