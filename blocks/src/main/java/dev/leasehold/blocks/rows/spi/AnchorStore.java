package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.SessionGrant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Keeps anchors beside the leases. Every stage may complete exceptionally if the store cannot be
 * reached: then what was asked may have been done, and may be asked again.
 */
public interface AnchorStore {
  /**
   * Opens new anchors for a living session. Those of an answer that was lost stay empty, and are
   * forgotten with the session.
   */
  CompletionStage<OpenResult> open(SessionGrant session);

  /** The anchors under a session, in their order. */
  CompletionStage<List<AnchorRecord>> under(SessionGrant session);

  /**
   * Anchors whose session is not alive, in their order, a page at a time: one whose rows stay
   * locked keeps no later one waiting. An expired session must be ended, by {@code EndExpired},
   * before its rows may be touched.
   *
   * @param after the last anchor of the page before; empty for the first page
   * @param limit the most anchors
   */
  CompletionStage<List<Orphan>> orphans(Optional<Anchor> after, int limit);

  /**
   * Puts the served rows of an ended session under a living one.
   *
   * @param ended the session that the caller found them under
   * @return whether they stand under the adopter now, by this call or an earlier copy of it
   */
  CompletionStage<Boolean> adopt(Anchor anchor, SessionGrant ended, SessionGrant adopter);

  /**
   * Forgets an anchor of an ended session, or one that was adopted. The caller has found that no
   * row names it, by a query that was begun after that end, or that adoption, was committed.
   *
   * @param under the session that the caller knows it under
   */
  CompletionStage<Boolean> forget(Anchor anchor, SessionGrant under);
}
