package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.blocks.rows.model.Worker;
import dev.leasehold.fence.Token;
import java.util.Optional;

/**
 * Decides who holds a row: pure functions of its state under the lock. A block asks them in the
 * transaction that changes its own columns, and changes nothing where they say no.
 */
public final class RowRules {
  private RowRules() {}

  /** A take: what the sender wants to be noted of its hold. */
  public record Take(Anchor anchor, Worker worker, String purpose, long lengthMillis) {}

  /**
   * What else a take or a move depends on.
   *
   * @param session that of the sender, with the anchor that it names
   */
  public record Context(SessionStanding session, int incarnation) {}

  /** The holder's proof: the token of its hold, and itself. */
  public record Proof(Token token, Worker worker) {}

  /**
   * Decides a take.
   *
   * @param isDue whether the block wants the row to be taken now, if it is free
   * @throws dev.leasehold.fence.TokenExhaustedException when the row's counter is used up
   */
  public static TakeResult take(RowState row, boolean isDue, Take take, Context context) {
    if (!(context.session() instanceof SessionStanding.Alive)) {
      return new TakeResult.Refused(context.session());
    }
    if (row.hold().isPresent()) {
      RowHold hold = row.hold().get();
      return isSame(hold, take, context.incarnation())
          ? new TakeResult.AlreadyTaken(hold)
          : new TakeResult.NotFree(hold);
    }
    return isDue
        ? new TakeResult.Taken(
            new RowHold(
                row.last().next(context.incarnation()),
                take.anchor(),
                take.worker(),
                take.purpose(),
                take.lengthMillis()))
        : new TakeResult.NotDue();
  }

  /** A hold of an earlier incarnation has ended: it is freed before it is taken again. */
  private static boolean isSame(RowHold hold, Take take, int incarnation) {
    return hold.anchor().equals(take.anchor())
        && hold.worker().equals(take.worker())
        && hold.token().incarnation() == incarnation;
  }

  /**
   * Checks the holder of a row: before a write, and before it gives the row back. A holder whose
   * session has ended passes as long as the row was not freed: nothing has superseded it.
   */
  public static HoldCheck check(RowState row, Proof proof, int incarnation) {
    if (proof.token().isAbove(row.last())) {
      return new HoldCheck.Unissued(row.last());
    }
    if (!proof.token().equals(row.last()) || proof.token().incarnation() != incarnation) {
      return new HoldCheck.Superseded(row.last());
    }
    if (row.hold().isEmpty()) {
      return new HoldCheck.Ended();
    }
    return row.hold().get().worker().equals(proof.worker())
        ? new HoldCheck.Holds(row.hold().get())
        : new HoldCheck.Superseded(row.last());
  }

  /**
   * Whether others may free the row: the sweep of an ended session, the reaper of a silent worker.
   * They name the hold as they saw it, token and anchor, so that they never free a hold that has
   * moved or followed since.
   *
   * @param freeing the session of the process that frees
   */
  public static boolean mayFree(RowState row, Token token, Anchor under, SessionStanding freeing) {
    return freeing instanceof SessionStanding.Alive
        && row.hold()
            .filter(hold -> hold.token().equals(token) && hold.anchor().equals(under))
            .isPresent();
  }

  /**
   * The hold after its worker came to another server; empty: the worker holds nothing there, or the
   * server may not take it over.
   *
   * @param to the server's anchor for served rows
   */
  public static Optional<RowHold> moved(RowState row, Proof proof, Anchor to, Context context) {
    return context.session() instanceof SessionStanding.Alive
            && check(row, proof, context.incarnation()) instanceof HoldCheck.Holds holds
        ? Optional.of(holds.hold().under(to))
        : Optional.empty();
  }
}
