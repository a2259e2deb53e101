package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.TRUST;
import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** I6, I9 and I12 in one process: when leases are renewed, and when they are over. */
class KeeperTest {
  private static final Outcome RENEWED = new Outcome.Renewed(TTL);

  private final EngineFixture fixture = new EngineFixture();

  /** The answer to the first attempt was lost; the repeat finds most of the time gone. */
  @Test
  void aGrantWithLittleLeftIsRenewedAtOnce() {
    EngineFixture.Caller caller = fixture.tryAcquire();
    ScriptedWire.Sent acquire = fixture.commands.next();

    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 8_000));
    fixture.manual.advanceMillis(1);

    assertThat(fixture.renewals.next().only()).isInstanceOf(Command.Renew.class);
    assertThat(caller.endings).isZero();
    fixture.renewals.last().answerAll(RENEWED);
    fixture.manual.advanceMillis(9_000);
    assertThat(caller.losses).isEmpty();
    assertThat(caller.endings).isZero();
  }

  /**
   * A grant that is old when its answer arrives is renewed soon, even if its own time limit is
   * near.
   */
  @Test
  void aLateGrantThatIsHeldForAtMostAWhileIsRenewedBeforeItsTrustEnds() {
    AcquireRequest plain = wanted();
    Timing timing = plain.timing().atMost(Duration.ofSeconds(9));
    AcquireRequest brief =
        new AcquireRequest(plain.key(), plain.instance(), plain.terms(), plain.expected(), timing);
    EngineFixture.Caller caller = fixture.tryAcquire(brief);
    ScriptedWire.Sent acquire = fixture.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 8_000));
    fixture.manual.advanceMillis(1);

    fixture.renewals.next().answerAll(RENEWED);
    fixture.manual.advanceMillis(8_000);

    assertThat(caller.losses).as("its time is not up yet").isEmpty();
    fixture.manual.advanceMillis(1_000);
    assertThat(caller.losses).containsExactly(new LossReason.OutOfTime());
  }

  /**
   * The store may decide before the send returns, so the remaining time counts from before the
   * send.
   */
  @Test
  void theTrustInARenewalCountsFromBeforeItWasHandedToTheWire() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.last().answerAll(RENEWED);
    fixture.renewals.sendingTakes(Duration.ofSeconds(4));
    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent slow = fixture.renewals.last();

    slow.answerAll(RENEWED);

    long sinceSent = Duration.ofNanos(fixture.manual.nowNanos() - slow.atNanos()).toMillis();
    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST - sinceSent);
  }

  /** A listener that fails must not end the next lease. */
  @Test
  void aListenerThatFailsTakesNoOtherLeaseWithIt() {
    List<LossReason> losses = new ArrayList<>();
    EngineFixture.Caller good = new EngineFixture.Caller();
    HeldLease.Listener failing =
        new HeldLease.Listener() {
          @Override
          public void ending() {
            throw new IllegalStateException("planted, while told that it ends");
          }

          @Override
          public void lost(LossReason reason) {
            losses.add(reason);
            throw new IllegalStateException("planted, while told that it is lost");
          }
        };
    LeaseKey other = LeaseKey.of("lock", "other");
    fixture.manual.event(
        () -> {
          fixture.holdings.tryAcquire(wanted(), verdict -> {}, failing);
          fixture.holdings.tryAcquire(wanted(other), good, good);
        });
    ScriptedWire.Sent acquires = fixture.commands.next();
    acquires.answer(
        ScriptedWire.granted(acquires.batch().get(0), token(1), TTL),
        ScriptedWire.granted(acquires.batch().get(1), token(1), TTL));

    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent first = fixture.renewals.next();
    assertThat(first.keys()).containsExactly(KEY, other);
    first.answer(new Outcome.Lost(new LossReason.Expired()), RENEWED);
    fixture.manual.advanceMillis(10_000);

    assertThat(losses).containsExactly(new LossReason.Expired());
    assertThat(fixture.renewals.next().keys()).containsExactly(other);
    assertThat(fixture.trustMillis(good)).isEqualTo(TRUST - 10_000);
  }

  /** Once a user was told that the lease may not be trusted, it must not be trusted again. */
  @Test
  void aLeaseWhoseTrustHasRunOutIsLostEvenIfARenewalIsAnsweredThen() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(26_000);
    ScriptedWire.Sent renewal = fixture.renewals.last();
    fixture.manual.pause(Duration.ofSeconds(2));
    assertThat(fixture.trustMillis(caller)).isZero();

    renewal.answerAll(RENEWED);

    assertThat(fixture.trustMillis(caller)).isZero();
    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
  }

  private static final Outcome LOCKED =
      new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "its row is locked");

  /** The store skips a locked row in a batch, and waits for the row when a renewal comes alone. */
  @Test
  void aLeaseThatFailsWhileOthersAreRenewedIsTriedAloneAtOnceAndThenStaysAlone() {
    EngineFixture.Caller locked = fixture.holding();
    EngineFixture.Caller other = holding("other", Duration.ofMillis(TTL));
    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent both = fixture.renewals.next();
    assertThat(both.batch()).hasSize(2);
    both.answer(LOCKED, RENEWED);

    ScriptedWire.Sent alone = fixture.renewals.next();
    assertThat(alone.keys()).containsExactly(KEY);
    assertThat(alone.atNanos()).as("without a pause").isEqualTo(fixture.manual.nowNanos());
    alone.answer(LOCKED);
    assertThat(fixture.renewals.isQuiet()).as("the second time after a pause").isTrue();
    fixture.manual.advanceMillis(1_000);
    ScriptedWire.Sent again = fixture.renewals.next();
    assertThat(again.keys()).containsExactly(KEY);
    again.answer(RENEWED);
    fixture.manual.advanceMillis(9_000);
    assertThat(locked.losses).isEmpty();
    assertThat(other.losses).isEmpty();
  }

  @Test
  void manyThatFailWhileOneIsRenewedAreNotAllTriedAloneAtOnce() {
    fixture.holding();
    for (int i = 0; i < 4 * Keeper.PARTS; i++) {
      holding("k" + i, Duration.ofMillis(TTL));
    }
    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent all = fixture.renewals.next();
    int before = fixture.renewals.count();
    Outcome[] outcomes = new Outcome[all.batch().size()];
    Arrays.fill(outcomes, LOCKED);
    outcomes[0] = RENEWED;
    all.answer(outcomes);
    fixture.manual.advanceMillis(1_000);

    assertThat(fixture.renewals.count() - before).isBetween(1, Keeper.PARTS);
  }

  private EngineFixture.Caller holding(String name, Duration ttl) {
    LeaseKey key = LeaseKey.of("lock", name);
    return fixture.holding(wanted(key, ttl, ttl.dividedBy(10)), token(1));
  }

  @Test
  void renewalComesAtAThirdAndDueOnesShareABatch() {
    EngineFixture.Caller first = fixture.holding();
    fixture.manual.advanceMillis(30);
    holding("other", Duration.ofMillis(TTL));
    fixture.manual.advanceMillis(9_969);
    assertThat(fixture.renewals.isQuiet()).isTrue();
    fixture.manual.advanceMillis(1);

    ScriptedWire.Sent both = fixture.renewals.next();
    assertThat(both.batch()).hasSize(2);
    fixture.manual.advanceMillis(200);
    both.answerAll(RENEWED);
    assertThat(fixture.trustMillis(first)).as("from the sending on").isEqualTo(TRUST - 200);
    fixture.manual.advanceMillis(9_799);
    assertThat(fixture.renewals.isQuiet()).isTrue();
    fixture.manual.advanceMillis(1);
    assertThat(fixture.renewals.next().batch()).hasSize(2);
  }

  @Test
  void jitterRenewsUpToATenthEarlier() {
    fixture.manual.jitter.alwaysMost();
    fixture.holding();
    fixture.manual.advanceMillis(8_999);
    assertThat(fixture.renewals.isQuiet()).isTrue();
    fixture.manual.advanceMillis(1);

    assertThat(fixture.renewals.next().batch()).hasSize(1);
  }

  @Test
  void progressIsCarriedByTheNextRenewal() {
    EngineFixture.Caller caller = fixture.holding();
    caller.lease().progressed();
    caller.lease().progressed();
    fixture.manual.advanceMillis(10_000);

    assertThat(((Command.Renew) fixture.renewals.next().only()).progress()).isEqualTo(2);
  }

  @Test
  void trustNeverMovesBackInAnyOrderOfTheAnswers() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(15_010);
    ScriptedWire.Sent hung = fixture.renewals.next();
    ScriptedWire.Sent retry = fixture.renewals.next();
    assertThat(retry.atNanos() - hung.atNanos()).isEqualTo(Duration.ofMillis(5_010).toNanos());
    retry.answerAll(RENEWED);
    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST);

    hung.answerAll(RENEWED);
    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST);
  }

  @Test
  void theNearerTheEndOfTheTrustTheShorterAHungRenewalIsWaitedFor() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(26_000);
    ScriptedWire.Sent last = fixture.renewals.next();
    while (!fixture.renewals.isQuiet()) {
      last = fixture.renewals.next();
    }

    // A store that comes back a second before the end of the trust is still asked in time.
    assertThat(last.atNanos())
        .isGreaterThan(fixture.manual.nowNanos() - Duration.ofSeconds(1).toNanos());
    last.answerAll(RENEWED);
    assertThat(fixture.trustMillis(caller)).isGreaterThan(TRUST - 1_000);
  }

  @Test
  void anAnswerThatComesAfterPatienceWasLostStillCounts() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(15_000);
    fixture.renewals.next().answerAll(RENEWED);

    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST - 5_000);
  }

  @Test
  void aLossThatComesLateStillCounts() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(15_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Stalled()));

    assertThat(caller.losses).containsExactly(new LossReason.Stalled());
    assertThat(caller.endings).isEqualTo(1);
    assertThat(fixture.trustMillis(caller)).isZero();
  }

  @Test
  void aStoreThatIsGoneLosesALeaseOnlyAtItsTrustDeadline() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(23_999);
    assertThat(caller.endings).isZero();
    fixture.manual.advanceMillis(1);
    assertThat(caller.endings).as("told to stop a grace before").isEqualTo(1);
    fixture.manual.advanceMillis(2_999);
    assertThat(caller.losses).isEmpty();
    assertThat(fixture.trustMillis(caller)).isEqualTo(1);
    fixture.manual.advanceMillis(1);

    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    assertThat(fixture.holdings.heldCount()).isZero();
    int sent = fixture.renewals.count();
    fixture.manual.advance(Duration.ofMinutes(5));
    assertThat(fixture.renewals.count()).isEqualTo(sent);
  }

  @Test
  void aRenewalInTheGraceKeepsTheLeaseThoughTheWorkWasToldToStop() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(25_000);
    fixture.renewals.last().answerAll(RENEWED);
    fixture.manual.advanceMillis(5_000);

    assertThat(caller.endings).isEqualTo(1);
    assertThat(caller.losses).isEmpty();
    assertThat(fixture.trustMillis(caller)).isPositive();
  }

  @Test
  void onePoisonedLeaseAmongAThousandIsAloneAfterTwoFailures() {
    LeaseKey poison = LeaseKey.of("lock", "k777");
    fixture.manual.event(
        () -> {
          for (int i = 0; i < 1_000; i++) {
            EngineFixture.Caller caller = new EngineFixture.Caller();
            fixture.holdings.tryAcquire(wanted(LeaseKey.of("lock", "k" + i)), caller, caller);
          }
        });
    ScriptedWire.Sent acquires = fixture.commands.next();
    acquires.answer(
        acquires.batch().stream()
            .map(command -> ScriptedWire.granted(command, token(1), TTL))
            .toArray(Outcome[]::new));
    fixture.manual.advanceMillis(10_000);

    int failures = 0;
    boolean alone = false;
    for (int round = 0; round < 3; round++) {
      while (!fixture.renewals.isQuiet()) {
        ScriptedWire.Sent sent = fixture.renewals.next();
        if (sent.keys().contains(poison)) {
          alone |= sent.batch().size() == 1;
          failures += alone ? 0 : 1;
          sent.fail();
        } else {
          sent.answerAll(RENEWED);
        }
      }
      fixture.manual.advanceMillis(10);
    }
    assertThat(alone).isTrue();
    assertThat(failures).isEqualTo(2);
  }

  @Test
  void aLeaseThatFailsAloneIsRetriedAloneAndItsNeighbourIsRenewed() {
    EngineFixture.Caller bad = fixture.holding();
    EngineFixture.Caller good = holding("good", Duration.ofMillis(TTL));
    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent both = fixture.renewals.next();
    both.answer(new Outcome.Failed(Outcome.Certainty.UNKNOWN, "row is locked"), RENEWED);
    fixture.manual.advanceMillis(10);

    assertThat(fixture.renewals.next().keys()).containsExactly(KEY);
    assertThat(fixture.trustMillis(good)).isEqualTo(TRUST - 10);
    assertThat(bad.losses).isEmpty();
  }

  @Test
  void aHastyLeaseDoesNotHurryAPatientOne() {
    fixture.holding();
    fixture.manual.advanceMillis(9_700);
    holding("hasty", Duration.ofMillis(900));
    fixture.manual.advanceMillis(300);

    assertThat(fixture.renewals.next().batch()).hasSize(1);
    assertThat(fixture.renewals.next().batch()).hasSize(1);
    assertThat(fixture.renewals.isQuiet()).isTrue();
  }

  @Test
  void whatIsForgottenIsNotRenewedAndItsAnswersAreIgnored() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    ScriptedWire.Sent renewal = fixture.renewals.next();
    fixture.release(caller);
    renewal.answerAll(RENEWED);
    fixture.manual.advance(Duration.ofMinutes(5));

    assertThat(fixture.trustMillis(caller)).isZero();
    assertThat(fixture.renewals.isQuiet()).isTrue();
    assertThat(caller.losses).isEmpty();
  }

  @Test
  void aPauseBeyondTheTrustIsALossAtTheFirstChance() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.pause(Duration.ofMinutes(10));
    assertThat(fixture.trustMillis(caller)).isZero();
    fixture.manual.advanceMillis(0);

    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    assertThat(fixture.renewals.isQuiet()).isTrue();
  }

  @Test
  void nearTheEndOfTheTrustAttemptsStillKeepAPauseAndTheLastIsInTime() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    List<Long> sent = new ArrayList<>();
    while (caller.losses.isEmpty()) {
      while (!fixture.renewals.isQuiet()) {
        ScriptedWire.Sent renewal = fixture.renewals.next();
        sent.add(renewal.atNanos());
        renewal.fail();
      }
      fixture.manual.advanceMillis(1);
    }

    for (int i = 1; i < sent.size(); i++) {
      assertThat(sent.get(i) - sent.get(i - 1)).isGreaterThanOrEqualTo(10_000_000);
    }
    assertThat(fixture.manual.nowNanos() - sent.getLast()).isLessThanOrEqualTo(20_000_000);
  }

  @Test
  void anAnsweredRenewalIsNotWaitedForAnyMore() {
    fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(RENEWED);

    assertThat(fixture.manual.timers()).as("only for what comes next").isEqualTo(1);
  }

  @Test
  void anAnswerOfTheWrongLengthAnswersNothing() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answer(RENEWED, RENEWED);
    fixture.manual.advanceMillis(10);

    assertThat(fixture.trustMillis(caller)).isEqualTo(TRUST - 10_010);
    assertThat(fixture.renewals.next().batch()).hasSize(1);
  }
}
