package dev.leasehold.blocks.rows.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.rows.model.Anchor;
import dev.leasehold.blocks.rows.model.RowHold;
import dev.leasehold.blocks.rows.model.Worker;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import org.junit.jupiter.api.Test;

class RowRulesTest {
  private static final int INCARNATION = 424;
  private static final Anchor MINE = new Anchor(7);
  private static final Anchor OTHERS = new Anchor(8);
  private static final Worker ANN = new Worker(1);
  private static final Worker BOB = new Worker(2);
  private static final SessionStanding OVER = new SessionStanding.Over(new LossReason.Expired());
  private static final RowState NEW = RowState.free(token(0));

  private static Token token(long counter) {
    return Token.of(INCARNATION, counter);
  }

  private static RowRules.Take take(Anchor anchor, Worker worker) {
    return new RowRules.Take(anchor, worker, "a test", 30_000);
  }

  private static RowState heldBy(Worker worker, Anchor anchor, long counter) {
    return RowState.held(new RowHold(token(counter), anchor, worker, "a test", 30_000));
  }

  private static RowRules.Proof proof(long counter, Worker worker) {
    return new RowRules.Proof(token(counter), worker);
  }

  private static HoldCheck check(RowState row, long counter, Worker worker) {
    return RowRules.check(row, proof(counter, worker), INCARNATION);
  }

  private static TakeResult take(RowState row, RowRules.Take take) {
    return RowRules.take(row, true, take, new RowRules.Context(SessionStanding.ALIVE, INCARNATION));
  }

  @Test
  void a_free_row_is_taken_under_the_next_token() {
    assertThat(take(NEW, take(MINE, ANN)))
        .isEqualTo(new TakeResult.Taken(new RowHold(token(1), MINE, ANN, "a test", 30_000)));
    assertThat(take(RowState.free(token(5)), take(MINE, ANN)))
        .isEqualTo(new TakeResult.Taken(new RowHold(token(6), MINE, ANN, "a test", 30_000)));
  }

  @Test
  void the_first_take_after_an_advance_is_above_all_earlier_tokens() {
    TakeResult taken =
        RowRules.take(
            RowState.free(token(5)),
            true,
            take(MINE, ANN),
            new RowRules.Context(SessionStanding.ALIVE, INCARNATION + 1));
    assertThat(taken).isInstanceOf(TakeResult.Taken.class);
    assertThat(((TakeResult.Taken) taken).hold().token()).isEqualTo(Token.of(INCARNATION + 1, 6));
  }

  @Test
  void a_process_whose_session_is_over_takes_nothing() {
    assertThat(RowRules.take(NEW, true, take(MINE, ANN), new RowRules.Context(OVER, INCARNATION)))
        .isEqualTo(new TakeResult.Refused(OVER));
    SessionStanding foreign = new SessionStanding.NotItsAnchor();
    assertThat(
            RowRules.take(NEW, true, take(MINE, ANN), new RowRules.Context(foreign, INCARNATION)))
        .isEqualTo(new TakeResult.Refused(foreign));
  }

  @Test
  void a_row_that_is_not_due_stays_free() {
    assertThat(
            RowRules.take(
                NEW,
                false,
                take(MINE, ANN),
                new RowRules.Context(SessionStanding.ALIVE, INCARNATION)))
        .isEqualTo(new TakeResult.NotDue());
  }

  @Test
  void a_held_row_is_not_taken_even_if_its_session_has_ended() {
    RowState held = heldBy(BOB, OTHERS, 3);
    assertThat(take(held, take(MINE, ANN)))
        .isEqualTo(new TakeResult.NotFree(held.hold().orElseThrow()));
  }

  @Test
  void a_repeated_take_finds_the_hold_of_its_first_copy() {
    RowState held = heldBy(ANN, MINE, 3);
    assertThat(take(held, take(MINE, ANN)))
        .isEqualTo(new TakeResult.AlreadyTaken(held.hold().orElseThrow()));
  }

  @Test
  void a_take_of_another_worker_or_under_another_anchor_is_no_repeat() {
    RowState held = heldBy(ANN, MINE, 3);
    assertThat(take(held, take(MINE, BOB))).isInstanceOf(TakeResult.NotFree.class);
    assertThat(take(held, take(OTHERS, ANN))).isInstanceOf(TakeResult.NotFree.class);
  }

  @Test
  void a_hold_of_an_earlier_incarnation_is_no_repeat() {
    TakeResult result =
        RowRules.take(
            heldBy(ANN, MINE, 3),
            true,
            take(MINE, ANN),
            new RowRules.Context(SessionStanding.ALIVE, INCARNATION + 1));
    assertThat(result).isInstanceOf(TakeResult.NotFree.class);
  }

  @Test
  void the_holder_passes() {
    RowState held = heldBy(ANN, MINE, 3);
    assertThat(check(held, 3, ANN)).isEqualTo(new HoldCheck.Holds(held.hold().orElseThrow()));
  }

  @Test
  void an_earlier_holder_is_superseded() {
    assertThat(check(heldBy(BOB, OTHERS, 4), 3, ANN)).isEqualTo(new HoldCheck.Superseded(token(4)));
    assertThat(check(RowState.free(token(4)), 3, ANN))
        .isEqualTo(new HoldCheck.Superseded(token(4)));
  }

  @Test
  void a_worker_that_knows_the_token_of_another_does_not_pass() {
    assertThat(check(heldBy(ANN, MINE, 3), 3, BOB)).isEqualTo(new HoldCheck.Superseded(token(3)));
  }

  @Test
  void a_holder_whose_hold_was_ended_learns_that_no_other_has_followed() {
    assertThat(check(RowState.free(token(3)), 3, ANN)).isEqualTo(new HoldCheck.Ended());
  }

  @Test
  void after_an_advance_every_earlier_holder_is_superseded() {
    assertThat(RowRules.check(heldBy(ANN, MINE, 3), proof(3, ANN), INCARNATION + 1))
        .isEqualTo(new HoldCheck.Superseded(token(3)));
    assertThat(RowRules.check(RowState.free(token(3)), proof(3, ANN), INCARNATION + 1))
        .isEqualTo(new HoldCheck.Superseded(token(3)));
  }

  @Test
  void a_token_above_the_last_one_was_never_issued() {
    assertThat(check(heldBy(ANN, MINE, 3), 4, ANN)).isEqualTo(new HoldCheck.Unissued(token(3)));
  }

  @Test
  void a_living_process_frees_exactly_the_hold_that_it_saw() {
    RowState held = heldBy(BOB, OTHERS, 3);
    assertThat(RowRules.mayFree(held, token(3), OTHERS, SessionStanding.ALIVE)).isTrue();
    assertThat(RowRules.mayFree(held, token(2), OTHERS, SessionStanding.ALIVE)).isFalse();
    assertThat(RowRules.mayFree(held, token(3), MINE, SessionStanding.ALIVE)).isFalse();
    assertThat(RowRules.mayFree(held, token(3), OTHERS, OVER)).isFalse();
    assertThat(RowRules.mayFree(RowState.free(token(3)), token(3), OTHERS, SessionStanding.ALIVE))
        .isFalse();
  }

  @Test
  void a_row_moves_with_its_token_and_worker() {
    RowState held = heldBy(ANN, OTHERS, 3);
    assertThat(
            RowRules.moved(
                held,
                proof(3, ANN),
                MINE,
                new RowRules.Context(SessionStanding.ALIVE, INCARNATION)))
        .contains(new RowHold(token(3), MINE, ANN, "a test", 30_000));
  }

  @Test
  void no_row_moves_to_a_server_whose_session_is_over_or_for_another_worker() {
    RowState held = heldBy(ANN, OTHERS, 3);
    assertThat(RowRules.moved(held, proof(3, ANN), MINE, new RowRules.Context(OVER, INCARNATION)))
        .isEmpty();
    assertThat(
            RowRules.moved(
                held,
                proof(3, BOB),
                MINE,
                new RowRules.Context(SessionStanding.ALIVE, INCARNATION)))
        .isEmpty();
    assertThat(
            RowRules.moved(
                held,
                proof(2, ANN),
                MINE,
                new RowRules.Context(SessionStanding.ALIVE, INCARNATION)))
        .isEmpty();
    assertThat(
            RowRules.moved(
                held,
                proof(3, ANN),
                MINE,
                new RowRules.Context(SessionStanding.ALIVE, INCARNATION + 1)))
        .isEmpty();
  }
}
