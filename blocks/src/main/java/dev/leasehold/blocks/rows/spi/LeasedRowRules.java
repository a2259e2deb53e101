package dev.leasehold.blocks.rows.spi;

import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.fence.Token;
import java.util.Optional;

/**
 * Decides commands on the rows of one block: the rules of row leases first, then the block's own
 * columns. A store asks it with the row locked, and writes what it says in the same transaction.
 *
 * @param <S> the block's own columns
 * @param <P> a change that a command asks for
 * @param <R> an answer about the columns
 */
public final class LeasedRowRules<S, P, R> {
  private final RowColumns<S, P, R> columns;

  public LeasedRowRules(RowColumns<S, P, R> columns) {
    this.columns = columns;
  }

  /**
   * The facts around a row at the moment of a decision.
   *
   * @param session that of the sender, where the command needs one
   * @param floor for a row without a record: its first token must be above this
   */
  public record Context(SessionStanding session, DecisionMoment moment, Token floor) {
    RowRules.Context ofRules() {
      return new RowRules.Context(session, moment.incarnation());
    }

    long nowMillis() {
      return moment.nowMillis();
    }

    int incarnation() {
      return moment.incarnation();
    }
  }

  /**
   * The outcome, and the row to write.
   *
   * @param after empty: nothing changes
   */
  public record Decision<S, R>(RowOutcome<R> outcome, Optional<LeasedRow<S>> after) {
    static <S, R> Decision<S, R> unchanged(RowOutcome<R> outcome) {
      return new Decision<>(outcome, Optional.empty());
    }

    static <S, R> Decision<S, R> changed(RowOutcome<R> outcome, RowState lease, S own) {
      return new Decision<>(outcome, Optional.of(new LeasedRow<>(lease, own)));
    }
  }

  public <K> Decision<S, R> decide(
      Optional<LeasedRow<S>> row, RowCommand<K, P> command, Context context) {
    return switch (command) {
      case RowCommand.Take<K, P> take -> take(row, take, context);
      case RowCommand.Write<K, P> write ->
          asHolder(row, write.proof(), context, found -> written(found, write.change(), context));
      case RowCommand.GiveBack<K, P> giveBack ->
          asHolder(
              row,
              giveBack.proof(),
              context,
              found -> givenBack(found, giveBack.change(), context));
      case RowCommand.Free<K, P> free -> freed(row, free, context);
      case RowCommand.Move<K, P> move -> moved(row, move, context);
    };
  }

  private Decision<S, R> take(
      Optional<LeasedRow<S>> row, RowCommand.Take<?, P> command, Context context) {
    Optional<LeasedRow<S>> found =
        row.or(
            () -> columns.blank().map(own -> new LeasedRow<>(RowState.free(context.floor()), own)));
    if (found.isEmpty()) {
      return Decision.unchanged(new RowOutcome.NotThere<>());
    }
    S own = found.get().own();
    boolean isDue = columns.isDue(own, command.change(), context.nowMillis());
    return switch (RowRules.take(found.get().lease(), isDue, command.hold(), context.ofRules())) {
      case TakeResult.Taken(RowHold hold) ->
          Decision.changed(
              new RowOutcome.Taken<>(hold),
              RowState.held(hold),
              columns.taken(own, command.change(), hold, context.nowMillis()));
      case TakeResult.AlreadyTaken(RowHold hold) ->
          Decision.unchanged(new RowOutcome.Taken<>(hold));
      case TakeResult.NotFree(RowHold by) -> Decision.unchanged(new RowOutcome.NotFree<>(by));
      case TakeResult.NotDue notDue -> Decision.unchanged(new RowOutcome.NotDue<>());
      case TakeResult.Refused(SessionStanding why) ->
          Decision.unchanged(new RowOutcome.SessionOver<>(why));
    };
  }

  /** The hold that was checked, and the row with it. */
  private record Held<S>(RowHold hold, S own) {}

  private interface Work<S, R> {
    Decision<S, R> as(Held<S> held);
  }

  private Decision<S, R> asHolder(
      Optional<LeasedRow<S>> row, RowRules.Proof proof, Context context, Work<S, R> work) {
    if (row.isEmpty()) {
      return Decision.unchanged(new RowOutcome.NotThere<>());
    }
    return switch (RowRules.check(row.get().lease(), proof, context.incarnation())) {
      case HoldCheck.Holds(RowHold hold) -> work.as(new Held<>(hold, row.get().own()));
      case HoldCheck.Ended ended -> Decision.unchanged(new RowOutcome.Ended<>());
      case HoldCheck.Superseded(Token current) ->
          Decision.unchanged(new RowOutcome.Superseded<>(current));
      case HoldCheck.Unissued(Token last) -> Decision.unchanged(new RowOutcome.Unissued<>(last));
    };
  }

  private Decision<S, R> written(Held<S> held, P change, Context context) {
    return switch (columns.written(held.own(), change, held.hold(), context.nowMillis())) {
      case RowColumns.Change.Made<S, R>(S after, R answer) ->
          Decision.changed(new RowOutcome.Written<>(answer), RowState.held(held.hold()), after);
      case RowColumns.Change.Declined<S, R>(R why) ->
          Decision.unchanged(new RowOutcome.Declined<>(why));
    };
  }

  private Decision<S, R> givenBack(Held<S> held, P change, Context context) {
    return switch (columns.written(held.own(), change, held.hold(), context.nowMillis())) {
      case RowColumns.Change.Made<S, R>(S after, R answer) ->
          Decision.changed(new RowOutcome.GivenBack<>(), RowState.free(held.hold().token()), after);
      case RowColumns.Change.Declined<S, R>(R why) ->
          Decision.unchanged(new RowOutcome.Declined<>(why));
    };
  }

  private Decision<S, R> freed(
      Optional<LeasedRow<S>> row, RowCommand.Free<?, P> command, Context context) {
    if (row.isEmpty()) {
      return Decision.unchanged(new RowOutcome.NotThere<>());
    }
    RowState lease = row.get().lease();
    if (RowRules.mayFree(lease, command.token(), command.under(), context.session())) {
      RowHold was = lease.hold().orElseThrow();
      return Decision.changed(
          new RowOutcome.Freed<>(),
          RowState.free(was.token()),
          columns.freed(row.get().own(), was, context.nowMillis()));
    }
    if (!(context.session() instanceof SessionStanding.Alive)) {
      return Decision.unchanged(new RowOutcome.SessionOver<>(context.session()));
    }
    boolean isFree = lease.hold().isEmpty() && lease.last().equals(command.token());
    return Decision.unchanged(
        isFree ? new RowOutcome.Freed<>() : new RowOutcome.Superseded<>(lease.last()));
  }

  private Decision<S, R> moved(
      Optional<LeasedRow<S>> row, RowCommand.Move<?, P> command, Context context) {
    return asHolder(
        row,
        command.proof(),
        context,
        held ->
            RowRules.moved(
                    RowState.held(held.hold()), command.proof(), command.to(), context.ofRules())
                .map(
                    hold ->
                        Decision.<S, R>changed(
                            new RowOutcome.Moved<>(hold), RowState.held(hold), held.own()))
                .orElseGet(
                    () -> Decision.unchanged(new RowOutcome.SessionOver<>(context.session()))));
  }
}
