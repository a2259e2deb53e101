package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.KEY;
import static dev.leasehold.kernel.engine.Desk.TRUST;
import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.token;
import static dev.leasehold.kernel.engine.Desk.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LossReason;
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

  private final Desk desk = new Desk();

  /** The answer to the first attempt was lost; the repeat finds most of the time gone. */
  @Test
  void aGrantWithLittleLeftIsRenewedAtOnce() {
    Desk.Caller caller = desk.tryAcquire();
    ScriptedWire.Sent acquire = desk.commands.next();

    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 8_000));
    desk.world.advanceMillis(1);

    assertThat(desk.renewals.next().only()).isInstanceOf(Command.Renew.class);
    assertThat(caller.endings).isZero();
    desk.renewals.last().answerAll(RENEWED);
    desk.world.advanceMillis(9_000);
    assertThat(caller.losses).isEmpty();
    assertThat(caller.endings).isZero();
  }

  /**
   * A grant that is old when its answer arrives is renewed soon, even if its own time limit is
   * near.
   */
  @Test
  void aLateGrantThatIsHeldForAtMostAWhileIsRenewedBeforeItsTrustEnds() {
    Wanted plain = wanted();
    Timing timing = plain.timing().atMost(Duration.ofSeconds(9));
    Wanted brief =
        new Wanted(plain.key(), plain.instance(), plain.terms(), plain.expected(), timing);
    Desk.Caller caller = desk.tryAcquire(brief);
    ScriptedWire.Sent acquire = desk.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 8_000));
    desk.world.advanceMillis(1);

    desk.renewals.next().answerAll(RENEWED);
    desk.world.advanceMillis(8_000);

    assertThat(caller.losses).as("its time is not up yet").isEmpty();
    desk.world.advanceMillis(1_000);
    assertThat(caller.losses).containsExactly(new LossReason.OutOfTime());
  }

  /**
   * The store may decide before the send returns, so the remaining time counts from before the
   * send.
   */
  @Test
  void theTrustInARenewalCountsFromBeforeItWasHandedToTheWire() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    desk.renewals.last().answerAll(RENEWED);
    desk.renewals.sendingTakes(Duration.ofSeconds(4));
    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent slow = desk.renewals.last();

    slow.answerAll(RENEWED);

    long sinceSent = Duration.ofNanos(desk.world.nowNanos() - slow.atNanos()).toMillis();
    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST - sinceSent);
  }

  /** A listener that fails must not end the next lease. */
  @Test
  void aListenerThatFailsTakesNoOtherLeaseWithIt() {
    List<LossReason> losses = new ArrayList<>();
    Desk.Caller good = new Desk.Caller();
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
    desk.world.event(
        () -> {
          desk.holdings.tryAcquire(wanted(), verdict -> {}, failing);
          desk.holdings.tryAcquire(wanted(other), good, good);
        });
    ScriptedWire.Sent acquires = desk.commands.next();
    acquires.answer(
        ScriptedWire.granted(acquires.batch().get(0), token(1), TTL),
        ScriptedWire.granted(acquires.batch().get(1), token(1), TTL));

    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent first = desk.renewals.next();
    assertThat(first.keys()).containsExactly(KEY, other);
    first.answer(new Outcome.Lost(new LossReason.Expired()), RENEWED);
    desk.world.advanceMillis(10_000);

    assertThat(losses).containsExactly(new LossReason.Expired());
    assertThat(desk.renewals.next().keys()).containsExactly(other);
    assertThat(desk.trustMillis(good)).isEqualTo(TRUST - 10_000);
  }

  /** Once a user was told that the lease may not be trusted, it must not be trusted again. */
  @Test
  void aLeaseWhoseTrustHasRunOutIsLostEvenIfARenewalIsAnsweredThen() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(26_000);
    ScriptedWire.Sent renewal = desk.renewals.last();
    desk.world.pause(Duration.ofSeconds(2));
    assertThat(desk.trustMillis(caller)).isZero();

    renewal.answerAll(RENEWED);

    assertThat(desk.trustMillis(caller)).isZero();
    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
  }

  private static final Outcome LOCKED =
      new Outcome.Failed(Outcome.Certainty.NOT_APPLIED, "its row is locked");

  /** The store skips a locked row in a batch, and waits for the row when a renewal comes alone. */
  @Test
  void aLeaseThatFailsWhileOthersAreRenewedIsTriedAloneAtOnceAndThenStaysAlone() {
    Desk.Caller locked = desk.holding();
    Desk.Caller other = holding("other", Duration.ofMillis(TTL));
    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent both = desk.renewals.next();
    assertThat(both.batch()).hasSize(2);
    both.answer(LOCKED, RENEWED);

    ScriptedWire.Sent alone = desk.renewals.next();
    assertThat(alone.keys()).containsExactly(KEY);
    assertThat(alone.atNanos()).as("without a pause").isEqualTo(desk.world.nowNanos());
    alone.answer(LOCKED);
    assertThat(desk.renewals.isQuiet()).as("the second time after a pause").isTrue();
    desk.world.advanceMillis(1_000);
    ScriptedWire.Sent again = desk.renewals.next();
    assertThat(again.keys()).containsExactly(KEY);
    again.answer(RENEWED);
    desk.world.advanceMillis(9_000);
    assertThat(locked.losses).isEmpty();
    assertThat(other.losses).isEmpty();
  }

  @Test
  void manyThatFailWhileOneIsRenewedAreNotAllTriedAloneAtOnce() {
    desk.holding();
    for (int i = 0; i < 4 * Keeper.PARTS; i++) {
      holding("k" + i, Duration.ofMillis(TTL));
    }
    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent all = desk.renewals.next();
    int before = desk.renewals.count();
    Outcome[] outcomes = new Outcome[all.batch().size()];
    Arrays.fill(outcomes, LOCKED);
    outcomes[0] = RENEWED;
    all.answer(outcomes);
    desk.world.advanceMillis(1_000);

    assertThat(desk.renewals.count() - before).isBetween(1, Keeper.PARTS);
  }

  private Desk.Caller holding(String name, Duration ttl) {
    LeaseKey key = LeaseKey.of("lock", name);
    return desk.holding(wanted(key, ttl, ttl.dividedBy(10)), token(1));
  }

  @Test
  void renewalComesAtAThirdAndDueOnesShareABatch() {
    Desk.Caller first = desk.holding();
    desk.world.advanceMillis(30);
    holding("other", Duration.ofMillis(TTL));
    desk.world.advanceMillis(9_969);
    assertThat(desk.renewals.isQuiet()).isTrue();
    desk.world.advanceMillis(1);

    ScriptedWire.Sent both = desk.renewals.next();
    assertThat(both.batch()).hasSize(2);
    desk.world.advanceMillis(200);
    both.answerAll(RENEWED);
    assertThat(desk.trustMillis(first)).as("from the sending on").isEqualTo(TRUST - 200);
    desk.world.advanceMillis(9_799);
    assertThat(desk.renewals.isQuiet()).isTrue();
    desk.world.advanceMillis(1);
    assertThat(desk.renewals.next().batch()).hasSize(2);
  }

  @Test
  void jitterRenewsUpToATenthEarlier() {
    desk.world.dice.alwaysMost();
    desk.holding();
    desk.world.advanceMillis(8_999);
    assertThat(desk.renewals.isQuiet()).isTrue();
    desk.world.advanceMillis(1);

    assertThat(desk.renewals.next().batch()).hasSize(1);
  }

  @Test
  void progressIsCarriedByTheNextRenewal() {
    Desk.Caller caller = desk.holding();
    caller.lease().progressed();
    caller.lease().progressed();
    desk.world.advanceMillis(10_000);

    assertThat(((Command.Renew) desk.renewals.next().only()).progress()).isEqualTo(2);
  }

  @Test
  void trustNeverMovesBackWhateverOrderAnswersComeIn() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(15_010);
    ScriptedWire.Sent hung = desk.renewals.next();
    ScriptedWire.Sent retry = desk.renewals.next();
    assertThat(retry.atNanos() - hung.atNanos()).isEqualTo(Duration.ofMillis(5_010).toNanos());
    retry.answerAll(RENEWED);
    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST);

    hung.answerAll(RENEWED);
    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST);
  }

  @Test
  void theNearerTheEndOfTheTrustTheShorterAHungRenewalIsWaitedFor() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(26_000);
    ScriptedWire.Sent last = desk.renewals.next();
    while (!desk.renewals.isQuiet()) {
      last = desk.renewals.next();
    }

    // A store that comes back a second before the end of the trust is still asked in time.
    assertThat(last.atNanos())
        .isGreaterThan(desk.world.nowNanos() - Duration.ofSeconds(1).toNanos());
    last.answerAll(RENEWED);
    assertThat(desk.trustMillis(caller)).isGreaterThan(TRUST - 1_000);
  }

  @Test
  void anAnswerThatComesAfterPatienceWasLostStillCounts() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(15_000);
    desk.renewals.next().answerAll(RENEWED);

    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST - 5_000);
  }

  @Test
  void aLossThatComesLateStillCounts() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(15_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Stalled()));

    assertThat(caller.losses).containsExactly(new LossReason.Stalled());
    assertThat(caller.endings).isEqualTo(1);
    assertThat(desk.trustMillis(caller)).isZero();
  }

  @Test
  void aStoreThatIsGoneLosesALeaseOnlyAtItsTrustDeadline() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(23_999);
    assertThat(caller.endings).isZero();
    desk.world.advanceMillis(1);
    assertThat(caller.endings).as("told to stop a grace before").isEqualTo(1);
    desk.world.advanceMillis(2_999);
    assertThat(caller.losses).isEmpty();
    assertThat(desk.trustMillis(caller)).isEqualTo(1);
    desk.world.advanceMillis(1);

    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    assertThat(desk.holdings.heldCount()).isZero();
    int sent = desk.renewals.count();
    desk.world.advance(Duration.ofMinutes(5));
    assertThat(desk.renewals.count()).isEqualTo(sent);
  }

  @Test
  void aRenewalInTheGraceKeepsTheLeaseThoughTheWorkWasToldToStop() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(25_000);
    desk.renewals.last().answerAll(RENEWED);
    desk.world.advanceMillis(5_000);

    assertThat(caller.endings).isEqualTo(1);
    assertThat(caller.losses).isEmpty();
    assertThat(desk.trustMillis(caller)).isPositive();
  }

  @Test
  void onePoisonedLeaseAmongAThousandIsAloneAfterTwoFailures() {
    LeaseKey poison = LeaseKey.of("lock", "k777");
    desk.world.event(
        () -> {
          for (int i = 0; i < 1_000; i++) {
            Desk.Caller caller = new Desk.Caller();
            desk.holdings.tryAcquire(wanted(LeaseKey.of("lock", "k" + i)), caller, caller);
          }
        });
    ScriptedWire.Sent acquires = desk.commands.next();
    acquires.answer(
        acquires.batch().stream()
            .map(command -> ScriptedWire.granted(command, token(1), TTL))
            .toArray(Outcome[]::new));
    desk.world.advanceMillis(10_000);

    int failures = 0;
    boolean alone = false;
    for (int round = 0; round < 3; round++) {
      while (!desk.renewals.isQuiet()) {
        ScriptedWire.Sent sent = desk.renewals.next();
        if (sent.keys().contains(poison)) {
          alone |= sent.batch().size() == 1;
          failures += alone ? 0 : 1;
          sent.fail();
        } else {
          sent.answerAll(RENEWED);
        }
      }
      desk.world.advanceMillis(10);
    }
    assertThat(alone).isTrue();
    assertThat(failures).isEqualTo(2);
  }

  @Test
  void aLeaseThatFailsAloneIsRetriedAloneAndItsNeighbourIsRenewed() {
    Desk.Caller bad = desk.holding();
    Desk.Caller good = holding("good", Duration.ofMillis(TTL));
    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent both = desk.renewals.next();
    both.answer(new Outcome.Failed(Outcome.Certainty.UNKNOWN, "row is locked"), RENEWED);
    desk.world.advanceMillis(10);

    assertThat(desk.renewals.next().keys()).containsExactly(KEY);
    assertThat(desk.trustMillis(good)).isEqualTo(TRUST - 10);
    assertThat(bad.losses).isEmpty();
  }

  @Test
  void aHastyLeaseDoesNotHurryAPatientOne() {
    desk.holding();
    desk.world.advanceMillis(9_700);
    holding("hasty", Duration.ofMillis(900));
    desk.world.advanceMillis(300);

    assertThat(desk.renewals.next().batch()).hasSize(1);
    assertThat(desk.renewals.next().batch()).hasSize(1);
    assertThat(desk.renewals.isQuiet()).isTrue();
  }

  @Test
  void whatIsForgottenIsNotRenewedAndItsAnswersAreIgnored() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    ScriptedWire.Sent renewal = desk.renewals.next();
    desk.release(caller);
    renewal.answerAll(RENEWED);
    desk.world.advance(Duration.ofMinutes(5));

    assertThat(desk.trustMillis(caller)).isZero();
    assertThat(desk.renewals.isQuiet()).isTrue();
    assertThat(caller.losses).isEmpty();
  }

  @Test
  void aPauseBeyondTheTrustIsALossAtTheFirstChance() {
    Desk.Caller caller = desk.holding();
    desk.world.pause(Duration.ofMinutes(10));
    assertThat(desk.trustMillis(caller)).isZero();
    desk.world.advanceMillis(0);

    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    assertThat(desk.renewals.isQuiet()).isTrue();
  }

  @Test
  void nearTheEndOfTheTrustAttemptsStillKeepAPauseAndTheLastIsInTime() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    List<Long> sent = new ArrayList<>();
    while (caller.losses.isEmpty()) {
      while (!desk.renewals.isQuiet()) {
        ScriptedWire.Sent renewal = desk.renewals.next();
        sent.add(renewal.atNanos());
        renewal.fail();
      }
      desk.world.advanceMillis(1);
    }

    for (int i = 1; i < sent.size(); i++) {
      assertThat(sent.get(i) - sent.get(i - 1)).isGreaterThanOrEqualTo(10_000_000);
    }
    assertThat(desk.world.nowNanos() - sent.getLast()).isLessThanOrEqualTo(20_000_000);
  }

  @Test
  void anAnsweredRenewalIsNotWaitedForAnyMore() {
    desk.holding();
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(RENEWED);

    assertThat(desk.world.timers()).as("only for what comes next").isEqualTo(1);
  }

  @Test
  void anAnswerOfTheWrongLengthAnswersNothing() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answer(RENEWED, RENEWED);
    desk.world.advanceMillis(10);

    assertThat(desk.trustMillis(caller)).isEqualTo(TRUST - 10_010);
    assertThat(desk.renewals.next().batch()).hasSize(1);
  }
}
