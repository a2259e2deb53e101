package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.fence.Token;

/**
 * A command on a leased row. It has no request id: a repeat is recognised by what the row shows.
 * {@link RowOutcome} says how, for each verb.
 *
 * @param <K> the place of the row: an id, or a name
 * @param <P> what a block wants to be changed in its own columns
 */
public sealed interface RowCommand<K, P> {
  K place();

  /**
   * Take the row, if it is free and due.
   *
   * @param session under which the anchor stands, which must be alive
   */
  record Take<K, P>(K place, SessionGrant session, RowRules.Take hold, P change)
      implements RowCommand<K, P> {}

  /** Change the row's own columns, as its holder. */
  record Write<K, P>(K place, RowRules.Proof proof, P change) implements RowCommand<K, P> {}

  /** Change the row's own columns and end the hold, as its holder. */
  record GiveBack<K, P>(K place, RowRules.Proof proof, P change) implements RowCommand<K, P> {}

  /**
   * End the hold of another, whose session has ended or whose worker is silent. The block says what
   * becomes of the row.
   *
   * @param token of the hold as the sender saw it
   * @param under the anchor that the sender saw it under
   * @param freeing the sender's own session, which must be alive
   */
  record Free<K, P>(K place, Token token, Anchor under, SessionGrant freeing)
      implements RowCommand<K, P> {}

  /**
   * Put the hold under another anchor, since its worker has come to another server.
   *
   * @param to the server's anchor for served rows
   * @param session the server's own, which must be alive
   */
  record Move<K, P>(K place, RowRules.Proof proof, Anchor to, SessionGrant session)
      implements RowCommand<K, P> {}
}
