package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.Cast.ANN;
import static dev.leasehold.testkit.contract.Cast.BOB;
import static dev.leasehold.testkit.contract.Cast.KEY;
import static dev.leasehold.testkit.contract.Cast.TTL;
import static dev.leasehold.testkit.contract.Cast.abandon;
import static dev.leasehold.testkit.contract.Cast.acquire;
import static dev.leasehold.testkit.contract.Cast.handOver;
import static dev.leasehold.testkit.contract.Cast.release;
import static dev.leasehold.testkit.contract.Cast.renew;
import static dev.leasehold.testkit.contract.Cast.reopen;
import static dev.leasehold.testkit.contract.Cast.revoke;
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
    bench.store().watch("lock/", recorder);
    Token token = bench.granted(acquire(ANN, "r1")).token();
    recorder.awaitHint(Kind.GRANTED, KEY, token);
    bench.apply(release(ANN, token, "r2"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void an_abandoned_grant_is_told_as_released() {
    bench.store().watch("", recorder);
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.apply(abandon(ANN, "r1"), Outcome.Abandoned.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void an_expiry_that_a_renewal_found_is_told() {
    bench.store().watch("lock/", recorder);
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(TTL);
    bench.apply(renew(ANN, token), Outcome.Lost.class);
    recorder.awaitHint(Kind.EXPIRED, KEY, token);
  }

  @Test
  void a_takeover_and_a_hand_over_are_told_to_both_sides() {
    bench.store().watch("lock/", recorder);
    Token first = bench.granted(acquire(ANN, "r1")).token();
    bench.pass(TTL);
    Token second = bench.granted(acquire(BOB, "r2")).token();
    recorder.awaitHint(Kind.SUPERSEDED, KEY, first);
    recorder.awaitHint(Kind.GRANTED, KEY, second);
    Token third = bench.apply(handOver(BOB, second, ANN, "h1"), Outcome.HandedOver.class).token();
    recorder.awaitHint(Kind.SUPERSEDED, KEY, second);
    recorder.awaitHint(Kind.GRANTED, KEY, third);
  }

  @Test
  void a_revocation_and_a_reopening_are_told() {
    bench.store().watch("lock/", recorder);
    Token token = bench.granted(acquire(ANN, "r1")).token();
    Token voidToken =
        bench.apply(revoke(Command.Reopening.BY_OPERATOR, "v1"), Outcome.Revoked.class).token();
    recorder.awaitHint(Kind.REVOKED, KEY, token);
    bench.apply(reopen("o1"), Outcome.Reopened.class);
    recorder.awaitHint(Kind.RELEASED, KEY, voidToken);
  }

  @Test
  void a_closure_that_a_revocation_lifts_is_told_as_a_reopening() {
    bench.granted(acquire(ANN, "r1"));
    bench.apply(revoke(Command.Reopening.AT_EXPIRY, "v1"), Outcome.Revoked.class);
    bench.store().watch("lock/", recorder);
    Token lifted = bench.apply(revoke(Command.Reopening.NOW, "v2"), Outcome.Revoked.class).token();
    recorder.awaitHint(Kind.RELEASED, KEY, lifted);
  }

  @Test
  void an_advanced_incarnation_resets_every_watch() {
    bench.store().watch("lock/", recorder);
    assertThat(bench.advance(Advance.above(0))).isInstanceOf(Advance.Advanced.class);
    recorder.awaitReset();
  }

  @Test
  void a_watch_is_told_of_its_prefix_alone() {
    HintRecorder all = new HintRecorder();
    bench.store().watch("lock/r", recorder);
    bench.store().watch("", all);
    LeaseKey foreign = new LeaseKey("lock/other");
    Token unwanted = bench.granted(acquire(foreign, ANN, "r1")).token();
    Token wanted = bench.granted(acquire(KEY, ANN, "r1")).token();
    all.awaitHint(Kind.GRANTED, foreign, unwanted);
    recorder.awaitHint(Kind.GRANTED, KEY, wanted);
    assertThat(recorder.told()).extracting(LeaseChange::key).doesNotContain(foreign);
  }

  @Test
  void a_closed_watch_is_told_nothing_more_and_the_others_are() {
    HintRecorder other = new HintRecorder();
    LeaseStore.Subscription ended = bench.store().watch("lock/", recorder);
    bench.store().watch("lock/", other);
    ended.close();
    ended.close();
    Token token = bench.granted(acquire(ANN, "r1")).token();
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
    bench.store().watch("lock/", failing);
    bench.store().watch("lock/", recorder);
    Token token = bench.granted(acquire(ANN, "r1")).token();
    recorder.awaitHint(Kind.GRANTED, KEY, token);
    bench.apply(release(ANN, token, "r2"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
  }

  @Test
  void a_refused_command_is_no_change() {
    Token token = bench.granted(acquire(ANN, "r1")).token();
    bench.store().watch("lock/", recorder);
    bench.apply(acquire(BOB, "r2"), Outcome.Held.class);
    bench.apply(acquire(ANN, "r1"), Outcome.Granted.class);
    bench.apply(release(ANN, token, "r3"), Outcome.Released.class);
    recorder.awaitHint(Kind.RELEASED, KEY, token);
    assertThat(recorder.told()).extracting(LeaseChange::kind).doesNotContain(Kind.SUPERSEDED);
  }
}
