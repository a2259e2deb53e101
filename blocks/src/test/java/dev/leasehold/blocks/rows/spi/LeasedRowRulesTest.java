package dev.leasehold.blocks.rows.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.model.Worker;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** With a block whose rows have one position, which never goes backwards. */
class LeasedRowRulesTest {
  private static final int INCARNATION = 424;
  private static final Anchor MINE = new Anchor(Token.of(INCARNATION, 7).value());
  private static final Anchor OTHERS = new Anchor(Token.of(INCARNATION, 8).value());
  private static final Worker ANN = new Worker(1);
  private static final Worker BOB = new Worker(2);
  private static final SessionGrant SESSION =
      new SessionGrant(new LeaseKey("session/ann"), token(1));
  private static final SessionStanding OVER = new SessionStanding.Over(new LossReason.Expired());
  private static final int LOST = -1;

  private final LeasedRowRules<Integer, Integer, String> rules =
      new LeasedRowRules<>(new Positions());
  private Optional<LeasedRow<Integer>> row = Optional.empty();
  private SessionStanding standing = SessionStanding.ALIVE;
  private int incarnation = INCARNATION;

  /** A taker sets the position; a row that others free is marked. */
  private static final class Positions implements RowColumns<Integer, Integer, String> {
    @Override
    public Optional<Integer> blank() {
      return Optional.of(0);
    }

    @Override
    public boolean isDue(Integer own, Integer change, long nowMillis) {
      return own <= change;
    }

    @Override
    public Integer taken(Integer own, Integer change, RowHold hold, long nowMillis) {
      return change;
    }

    @Override
    public Change<Integer, String> written(
        Integer own, Integer change, RowHold hold, long nowMillis) {
      return change >= own
          ? new Change.Made<>(change, "at " + change)
          : new Change.Declined<>("behind " + own);
    }

    @Override
    public Integer freed(Integer own, RowHold was, long nowMillis) {
      return LOST;
    }
  }

  private static Token token(long counter) {
    return Token.of(INCARNATION, counter);
  }

  private RowOutcome<String> send(RowCommand<String, Integer> command) {
    DecisionMoment moment = new DecisionMoment(1_000, incarnation);
    var decision =
        rules.decide(row, command, new LeasedRowRules.Context(standing, moment, token(0)));
    row = decision.after().or(() -> row);
    return decision.outcome();
  }

  private RowOutcome<String> take(Worker worker, Anchor anchor, int position) {
    return send(
        new RowCommand.Take<>(
            "row", SESSION, new RowRules.Take(anchor, worker, "a test", 30_000), position));
  }

  private RowOutcome<String> write(long counter, Worker worker, int position) {
    return send(
        new RowCommand.Write<>("row", new RowRules.Proof(token(counter), worker), position));
  }

  private RowOutcome<String> giveBack(long counter, int position) {
    return send(
        new RowCommand.GiveBack<>("row", new RowRules.Proof(token(counter), ANN), position));
  }

  private RowOutcome<String> free(long counter, Anchor under) {
    return send(new RowCommand.Free<>("row", token(counter), under, SESSION));
  }

  private RowOutcome<String> move(long counter, Anchor to) {
    return send(new RowCommand.Move<>("row", new RowRules.Proof(token(counter), ANN), to, SESSION));
  }

  private static RowHold hold(long counter, Anchor anchor) {
    return new RowHold(token(counter), anchor, ANN, "a test", 30_000);
  }

  private int position() {
    return row.orElseThrow().own();
  }

  @Test
  void a_row_that_was_never_written_is_taken_if_the_block_has_such() {
    assertThat(take(ANN, MINE, 0)).isEqualTo(new RowOutcome.Taken<>(hold(1, MINE)));
    assertThat(row).contains(new LeasedRow<>(RowState.held(hold(1, MINE)), 0));
  }

  @Test
  void a_holder_writes_what_the_block_accepts_and_no_other_does() {
    take(ANN, MINE, 0);
    assertThat(write(1, ANN, 5)).isEqualTo(new RowOutcome.Written<>("at 5"));
    assertThat(write(1, ANN, 3)).isEqualTo(new RowOutcome.Declined<>("behind 5"));
    assertThat(write(1, BOB, 9)).isEqualTo(new RowOutcome.Superseded<>(token(1)));
    assertThat(position()).isEqualTo(5);
  }

  @Test
  void a_repeated_take_or_write_changes_nothing_more() {
    take(ANN, MINE, 0);
    write(1, ANN, 5);
    assertThat(take(ANN, MINE, 0)).isEqualTo(new RowOutcome.Taken<>(hold(1, MINE)));
    assertThat(write(1, ANN, 5)).isEqualTo(new RowOutcome.Written<>("at 5"));
    assertThat(position()).isEqualTo(5);
  }

  @Test
  void a_row_that_is_given_back_keeps_its_token_and_its_last_change() {
    take(ANN, MINE, 0);
    assertThat(giveBack(1, 7)).isEqualTo(new RowOutcome.GivenBack<>());
    assertThat(row).contains(new LeasedRow<>(RowState.free(token(1)), 7));
    assertThat(giveBack(1, 7)).as("again").isEqualTo(new RowOutcome.Ended<>());
    assertThat(take(BOB, OTHERS, 7)).isInstanceOf(RowOutcome.Taken.class);
    assertThat(giveBack(1, 8)).isEqualTo(new RowOutcome.Superseded<>(token(2)));
    assertThat(write(1, ANN, 9)).isEqualTo(new RowOutcome.Superseded<>(token(2)));
    assertThat(position()).isEqualTo(7);
  }

  @Test
  void a_give_back_that_the_block_declines_ends_nothing() {
    take(ANN, MINE, 5);
    assertThat(giveBack(1, 3)).isEqualTo(new RowOutcome.Declined<>("behind 5"));
    assertThat(write(1, ANN, 6)).isInstanceOf(RowOutcome.Written.class);
  }

  @Test
  void a_row_that_is_not_due_is_not_taken() {
    take(ANN, MINE, 5);
    giveBack(1, 5);
    assertThat(take(BOB, OTHERS, 4)).isEqualTo(new RowOutcome.NotDue<>());
  }

  @Test
  void others_free_exactly_the_hold_that_they_saw_and_the_block_says_what_becomes_of_it() {
    take(ANN, OTHERS, 5);
    assertThat(free(1, MINE)).isEqualTo(new RowOutcome.Superseded<>(token(1)));
    assertThat(free(1, OTHERS)).isEqualTo(new RowOutcome.Freed<>());
    assertThat(row).contains(new LeasedRow<>(RowState.free(token(1)), LOST));
    assertThat(free(1, OTHERS)).as("again").isEqualTo(new RowOutcome.Freed<>());
    assertThat(write(1, ANN, 9)).as("the old holder").isEqualTo(new RowOutcome.Ended<>());
  }

  @Test
  void a_process_whose_session_is_over_neither_takes_nor_frees_nor_moves() {
    take(ANN, OTHERS, 5);
    standing = OVER;
    assertThat(free(1, OTHERS)).isEqualTo(new RowOutcome.SessionOver<>(OVER));
    assertThat(move(1, MINE)).isEqualTo(new RowOutcome.SessionOver<>(OVER));
    assertThat(write(1, ANN, 6))
        .as("which has no successor")
        .isInstanceOf(RowOutcome.Written.class);
    giveBack(1, 6);
    assertThat(take(BOB, OTHERS, 7)).isEqualTo(new RowOutcome.SessionOver<>(OVER));
  }

  @Test
  void a_worker_that_comes_to_another_server_keeps_its_token() {
    take(ANN, OTHERS, 5);
    assertThat(move(1, MINE)).isEqualTo(new RowOutcome.Moved<>(hold(1, MINE)));
    assertThat(move(1, MINE)).as("again").isEqualTo(new RowOutcome.Moved<>(hold(1, MINE)));
    assertThat(free(1, OTHERS)).as("by the old server").isInstanceOf(RowOutcome.Superseded.class);
    assertThat(write(1, ANN, 6)).isInstanceOf(RowOutcome.Written.class);
  }

  @Test
  void after_an_advance_earlier_holders_write_nothing_and_their_rows_are_freed() {
    take(ANN, OTHERS, 5);
    incarnation++;
    assertThat(write(1, ANN, 6)).isEqualTo(new RowOutcome.Superseded<>(token(1)));
    assertThat(take(BOB, MINE, 6)).isEqualTo(new RowOutcome.NotFree<>(hold(1, OTHERS)));
    assertThat(free(1, OTHERS)).isEqualTo(new RowOutcome.Freed<>());
    assertThat(take(BOB, MINE, 6))
        .isInstanceOfSatisfying(
            RowOutcome.Taken.class,
            taken ->
                assertThat(((RowOutcome.Taken<?>) taken).hold().token())
                    .isEqualTo(Token.of(INCARNATION + 1, 2)));
  }

  @Test
  void a_row_that_is_not_there_is_neither_written_nor_freed() {
    assertThat(write(1, ANN, 5)).isEqualTo(new RowOutcome.NotThere<>());
    assertThat(free(1, MINE)).isEqualTo(new RowOutcome.NotThere<>());
    assertThat(row).isEmpty();
  }

  @Test
  void a_token_that_was_never_issued_is_told_apart() {
    take(ANN, MINE, 0);
    assertThat(write(2, ANN, 5)).isEqualTo(new RowOutcome.Unissued<>(token(1)));
  }

  @Test
  void what_a_late_copy_could_make_untrue_is_not_final() {
    RowHold hold = hold(1, MINE);
    assertThat(new RowOutcome.Taken<String>(hold).isFinal()).isTrue();
    assertThat(new RowOutcome.Superseded<String>(token(1)).isFinal()).isTrue();
    assertThat(new RowOutcome.NotFree<String>(hold).isFinal()).isFalse();
    assertThat(new RowOutcome.NotDue<String>().isFinal()).isFalse();
    assertThat(new RowOutcome.Declined<>("behind 5").isFinal()).isFalse();
  }
}
