package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.BOB;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.TTL;
import static dev.leasehold.testkit.contract.ContractCallers.abandon;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static dev.leasehold.testkit.contract.ContractCallers.handOver;
import static dev.leasehold.testkit.contract.ContractCallers.release;
import static dev.leasehold.testkit.contract.ContractCallers.renew;
import static dev.leasehold.testkit.contract.ContractCallers.reopen;
import static dev.leasehold.testkit.contract.ContractCallers.revoke;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import org.junit.jupiter.api.Test;

/**
 * Changes are told as hints: once or twice, early or late. What a waiter may count on is that for a
 * change made after its watch began it gets a hint, or a reset, within ten seconds.
 */
abstract class WatchingContract extends LeaseGroup {
  /** Without a stack, so that a store's log of it stays short. */
  private static final class FailedOnPurpose extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FailedOnPurpose() {
      super("a listener that fails, on purpose", null, false, false);
    }
  }

  private final HintRecorder recorder = new HintRecorder();

  @Test
  void grants_and_releases_are_told() {
    fixture.store().watch("lock/", recorder);
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    recorder.awaitHint(Kind.GRANTED, KEY, token);
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void an_abandoned_grant_is_told_as_released() {
    fixture.store().watch("", recorder);
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void an_expiry_that_a_renewal_found_is_told() {
    fixture.store().watch("lock/", recorder);
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(TTL);
    fixture.apply(renew(ANN, token), Outcome.Lost.class);
    recorder.awaitHint(Kind.EXPIRED, KEY, token);
  }

  @Test
  void a_takeover_and_a_hand_over_are_told_to_both_sides() {
    fixture.store().watch("lock/", recorder);
    Token first = fixture.granted(acquire(ANN, "r1")).token();
    fixture.pass(TTL);
    Token second = fixture.granted(acquire(BOB, "r2")).token();
    recorder.awaitHint(Kind.SUPERSEDED, KEY, first);
    recorder.awaitHint(Kind.GRANTED, KEY, second);
    Token third = fixture.apply(handOver(BOB, second, ANN, "h1"), Outcome.HandedOver.class).token();
    recorder.awaitHint(Kind.SUPERSEDED, KEY, second);
    recorder.awaitHint(Kind.GRANTED, KEY, third);
  }

  @Test
  void a_revocation_and_a_reopening_are_told() {
    fixture.store().watch("lock/", recorder);
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    Token voidToken =
        fixture.apply(revoke(Command.Reopening.BY_OPERATOR, "v1"), Outcome.Revoked.class).token();
    recorder.awaitHint(Kind.REVOKED, KEY, token);
    fixture.apply(reopen("o1"), Outcome.Reopened.class);
    recorder.awaitHint(Kind.RELEASED, KEY, voidToken);
  }

  @Test
  void a_closure_that_a_revocation_lifts_is_told_as_a_reopening() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.apply(revoke(Command.Reopening.AT_EXPIRY, "v1"), Outcome.Revoked.class);
    fixture.store().watch("lock/", recorder);
    Token lifted =
        fixture.apply(revoke(Command.Reopening.NOW, "v2"), Outcome.Revoked.class).token();
    recorder.awaitHint(Kind.RELEASED, KEY, lifted);
  }

  @Test
  void an_advanced_incarnation_resets_every_watch() {
    fixture.store().watch("lock/", recorder);
    assertThat(fixture.advance(Advance.above(0))).isInstanceOf(Advance.Advanced.class);
    recorder.awaitReset();
  }

  @Test
  void a_watch_is_told_of_its_prefix_alone() {
    HintRecorder all = new HintRecorder();
    fixture.store().watch("lock/r", recorder);
    fixture.store().watch("", all);
    LeaseKey foreign = new LeaseKey("lock/other");
    Token unwanted = fixture.granted(acquire(foreign, ANN, "r1")).token();
    Token wanted = fixture.granted(acquire(KEY, ANN, "r1")).token();
    all.awaitHint(Kind.GRANTED, foreign, unwanted);
    recorder.awaitHint(Kind.GRANTED, KEY, wanted);
    assertThat(recorder.told()).extracting(LeaseChange::key).doesNotContain(foreign);
  }

  @Test
  void a_closed_watch_is_told_nothing_more_and_the_others_are() {
    HintRecorder other = new HintRecorder();
    LeaseStore.Subscription ended = fixture.store().watch("lock/", recorder);
    fixture.store().watch("lock/", other);
    ended.close();
    ended.close();
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    other.awaitHint(Kind.GRANTED, KEY, token);
    assertThat(recorder.told()).isEmpty();
  }

  @Test
  void a_listener_that_fails_harms_neither_the_command_nor_the_other_listeners() {
    ChangeListener<LeaseChange> failing =
        new ChangeListener<LeaseChange>() {
          @Override
          public void changed(LeaseChange change) {
            throw new FailedOnPurpose();
          }

          @Override
          public void reset() {
            throw new FailedOnPurpose();
          }
        };
    fixture.store().watch("lock/", failing);
    fixture.store().watch("lock/", recorder);
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    recorder.awaitHint(Kind.GRANTED, KEY, token);
    fixture.apply(release(ANN, token, "r2"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void a_refused_command_is_no_change() {
    Token token = fixture.granted(acquire(ANN, "r1")).token();
    fixture.store().watch("lock/", recorder);
    fixture.apply(acquire(BOB, "r2"), Outcome.Held.class);
    fixture.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    fixture.apply(release(ANN, token, "r3"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
    assertThat(recorder.told()).extracting(LeaseChange::kind).doesNotContain(Kind.SUPERSEDED);
  }
}
