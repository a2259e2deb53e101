package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.KEY;
import static dev.leasehold.kernel.engine.Desk.TRUST;
import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.held;
import static dev.leasehold.kernel.engine.Desk.token;
import static dev.leasehold.kernel.engine.Desk.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Releasing, handing over, inheriting, and a store that has lost writes. */
class HoldingsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Desk desk = new Desk();

  /** Until then the store would keep the key from others, although no process holds it. */
  @Test
  void aHandOverIsRepeatedForAsLongAsTheStoreKeepsTheKey() {
    Wanted plain = wanted();
    long kept = 4 * TTL;
    Wanted longer =
        new Wanted(
            plain.key(),
            plain.instance(),
            Actor.ANNA.terms(kept),
            plain.expected(),
            plain.timing());
    Desk.Caller caller = desk.holding(longer, token(1));
    List<Outcome> told = desk.handOver(caller);
    desk.world.advanceMillis(2 * TTL);

    assertThat(told).as("no answer came, and none is guessed").isEmpty();
    desk.commands.last().answerAll(new Outcome.HandedOver(token(2)));
    assertThat(told).containsExactly(new Outcome.HandedOver(token(2)));
  }

  @Test
  void whatIsReleasedIsNotTrustedFromThenOn() {
    Desk.Caller caller = desk.holding();
    List<Outcome> told = desk.release(caller);

    assertThat(desk.trustMillis(caller)).isZero();
    assertThat(caller.lease().over()).contains(new LossReason.Released());
    desk.commands.next().answer(new Outcome.Released());
    assertThat(told).containsExactly(new Outcome.Released());
    assertThat(caller.losses).as("nobody needs to be told").isEmpty();
    desk.world.advance(MINUTE);
    assertThat(desk.renewals.count()).isZero();
  }

  @Test
  void aSecondReleaseIsToldThatItWasReleased() {
    Desk.Caller caller = desk.holding();
    desk.release(caller);
    desk.commands.next().answer(new Outcome.Released());

    assertThat(desk.release(caller)).containsExactly(new Outcome.Lost(new LossReason.Released()));
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void whatWasLostIsNobodysToRelease() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Revoked("op", "stuck")));

    assertThat(desk.release(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Revoked("op", "stuck")));
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void aLossWakesWhoWaitsInTheSameProcess() {
    desk.holding();
    Desk.Caller next = desk.acquire(MINUTE);
    desk.commands.next().answer(held(TTL));
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Stalled()));

    ScriptedWire.Sent acquire = desk.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(2), TTL));
    assertThat(next.lease().token()).isEqualTo(token(2));
  }

  @Test
  void whatIsHandedOverIsNotTrustedFromThenOn() {
    Desk.Caller caller = desk.holding();
    List<Outcome> told = desk.handOver(caller);
    assertThat(desk.trustMillis(caller)).isZero();

    desk.commands.next().answer(new Outcome.HandedOver(token(2)));
    assertThat(told).containsExactly(new Outcome.HandedOver(token(2)));
    assertThat(desk.commands.isQuiet()).isTrue();
    assertThat(desk.handOver(caller)).containsExactly(new Outcome.Lost(new LossReason.Released()));
  }

  /** Waiters must not wait for ever because a holder's work does not end. */
  @Test
  void whatIsWoundDownIsKeptUntilItsGraceIsOverAndNoLonger() {
    Desk.Caller caller =
        desk.holding(wanted(KEY, Duration.ofMillis(TTL), MINUTE.dividedBy(5)), token(1));
    List<String> told = new ArrayList<>();
    desk.world.event(
        () ->
            desk.holdings.windDown(
                caller.lease(), () -> told.add("interrupted"), () -> told.add("left")));
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(new Outcome.Renewed(TTL));
    desk.world.advanceMillis(2_000);
    assertThat(told).containsExactly("interrupted");
    assertThat(desk.holdings.heldCount()).isZero();

    desk.world.advance(MINUTE);
    assertThat(told).containsExactly("interrupted", "left");
    assertThat(desk.renewals.isQuiet()).isTrue();
  }

  @Test
  void whatTheHeirCannotHaveIsGivenBackInstead() {
    Desk.Caller caller = desk.holding();
    List<Outcome> told = desk.handOver(caller);
    Outcome refused = new Outcome.Closed("barred", OptionalLong.of(30_000));
    desk.commands.next().answer(refused);

    assertThat(told).containsExactly(refused);
    assertThat(desk.commands.next().verbs()).containsExactly("Release");
  }

  @Test
  void anHeirTrustsFromItsOwnFirstRenewal() {
    Desk.Caller heir = desk.inherit(token(2));
    assertThat(heir.isWaiting()).isTrue();
    desk.world.advanceMillis(400);
    desk.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(desk.trustMillis(heir)).isEqualTo(TRUST - 400);
    desk.world.advanceMillis(10_000);
    assertThat(desk.renewals.next().verbs()).containsExactly("Renew");
  }

  @Test
  void anHeirIsToldWhatBecameOfTheInheritance() {
    Desk.Caller late = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    Desk.Caller wrong = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Rejected("no"));

    assertThat(late.verdict()).isEqualTo(new Verdict.Gone(new LossReason.Expired()));
    assertThat(wrong.verdict()).isEqualTo(new Verdict.Rejected("no"));
  }

  @Test
  void anHeirWithoutAnAnswerTrustsNothing() {
    Desk.Caller heir = desk.inherit(token(2));
    desk.world.advance(MINUTE);

    assertThat(heir.verdict()).isInstanceOf(Verdict.Failed.class);
    assertThat(desk.holdings.heldCount()).isZero();
  }

  @Test
  void anHeirIsNotGivenWhatItCouldNotTrustForAnyWork() {
    Desk.Caller heir = new Desk.Caller();
    Wanted hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    desk.world.event(() -> desk.holdings.inherit(hasty, token(2), heir, heir));
    desk.world.advanceMillis(2_800);
    desk.commands.next().answer(new Outcome.Renewed(3_000));
    assertThat(desk.holdings.heldCount()).isZero();

    // The answer leaves no trust for work, so the heir asks again, and gives up when its time is
    // over.
    desk.world.advanceMillis(2_800);
    desk.commands.next().answer(new Outcome.Renewed(3_000));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Failed.class);
    assertThat(desk.holdings.heldCount()).isZero();
    assertThat(desk.commands.next().verbs()).containsExactly("Release");
  }

  @Test
  void nothingIsInheritedFromAStoreThatHasLostWritesOrAfterTheEnd() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));
    assertThat(caller.losses).containsExactly(new LossReason.Unknown());
    assertThat(desk.inherit(token(2)).verdict()).isInstanceOf(Verdict.Unsafe.class);

    desk.shutDown();
    assertThat(desk.inherit(token(2)).verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void aStoreThatNoLongerKnowsItsGrantIsNotUsedAnyMore() {
    desk.holding();
    Desk.Caller first = desk.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    Desk.Caller second = desk.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    desk.commands.next().answer(held(TTL));
    desk.world.advanceMillis(10_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    for (Desk.Caller waiting : List.of(first, second, desk.tryAcquire())) {
      assertThat(waiting.verdict())
          .isInstanceOfSatisfying(
              Verdict.Unsafe.class,
              unsafe -> assertThat(unsafe.why()).contains("Advance its incarnation"));
    }
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  /** Its row was deleted by hand, and its token is below the floor. */
  @Test
  void aGrantThatIsUnknownButWillBeOutrankedIsLostAlone() {
    Desk.Caller one = desk.holding();
    desk.world.advanceMillis(5_000);
    Desk.Caller other = desk.holding(wanted(LeaseKey.of("lock", "other")), token(1));
    desk.world.advanceMillis(5_000);
    desk.renewals.next().answerAll(new Outcome.Lost(LossReason.Unknown.after(token(1))));

    assertThat(one.losses).containsExactly(LossReason.Unknown.after(token(1)));
    assertThat(other.losses).isEmpty();
    assertThat(desk.trustMillis(other)).isPositive();
    assertThat(desk.tryAcquire().isWaiting()).isTrue();
  }

  @Test
  void aGrantThatIsUnknownAndWouldBeIssuedAgainShowsLostWritesHoweverLate() {
    Desk.Caller caller = desk.holding(wanted(KEY), token(2));
    desk.world.advanceMillis(10_000);
    desk.world.pause(Duration.ofMillis(TRUST - 10_000).plusMinutes(10));
    desk.renewals.next().answerAll(new Outcome.Lost(LossReason.Unknown.after(token(1))));

    assertThat(caller.losses).containsExactly(LossReason.Unknown.after(token(1)));
    assertThat(desk.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  /** A record is purged only when nothing can depend on it, and 10 minutes after that. */
  @Test
  void whatIsUnknownLongAfterItsTrustMayHaveBeenTidiedUp() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(10_000);
    desk.world.pause(Duration.ofMillis(TRUST - 10_000).plusMinutes(10));
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(caller.losses).containsExactly(new LossReason.Unknown());
    assertThat(desk.tryAcquire().isWaiting()).isTrue();
  }

  @Test
  void whatIsUnknownSoonerIsLostWrites() {
    desk.holding();
    desk.world.advanceMillis(10_000);
    desk.world.pause(Duration.ofMillis(TRUST - 10_001).plusMinutes(10));
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(desk.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aReleaseOfWhatTheStoreNoLongerKnowsShowsLostWritesToo() {
    Desk.Caller caller = desk.holding();
    List<Outcome> told = desk.release(caller);
    Outcome unknown = new Outcome.Lost(new LossReason.Unknown());
    desk.commands.next().answer(unknown);

    assertThat(told).containsExactly(unknown);
    assertThat(desk.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aLateGrantThatCannotBeConfirmedBecauseItIsUnknownShowsLostWritesToo() {
    Desk.Caller caller = desk.acquire(wanted(KEY, Duration.ofSeconds(3), Duration.ZERO), MINUTE);
    ScriptedWire.Sent acquire = desk.commands.next();
    desk.world.advanceMillis(2_900);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    desk.commands.next().answer(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(caller.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  /** The store may have granted the other keys to others too, and its answers prove nothing. */
  @Test
  void whatElseIsHeldInAStoreThatHasLostWritesIsLostAtOnceAndTheStoreLeftAlone() {
    Desk.Caller one = desk.holding();
    desk.world.advanceMillis(5_000);
    Desk.Caller other = desk.holding(wanted(LeaseKey.of("lock", "other")), token(1));
    desk.world.advanceMillis(5_000);
    desk.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(one.losses).containsExactly(new LossReason.Unknown());
    assertThat(other.losses)
        .singleElement()
        .isInstanceOfSatisfying(
            LossReason.Broken.class,
            broken -> assertThat(broken.what()).contains("it has lost writes"));
    assertThat(desk.trustMillis(other)).isZero();
    assertThat(desk.holdings.heldCount()).isZero();
    assertThat(desk.release(other)).containsExactly(new Outcome.Lost(other.losses.getFirst()));
    desk.world.advance(MINUTE);
    assertThat(desk.renewals.isQuiet()).isTrue();
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  /**
   * Renewals may have arrived although no answer came, so without a release others would wait a
   * ttl.
   */
  @Test
  void whatCouldNotBeReachedIsGivenBackOnceItsWorkHasEnded() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(TRUST);
    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    desk.world.advanceMillis(2_000);
    assertThat(desk.commands.isQuiet()).as("its work may still run").isTrue();

    assertThat(desk.release(caller))
        .as("told at once, not when the store is back")
        .containsExactly(new Outcome.Lost(new LossReason.Unreachable()));
    ScriptedWire.Sent release = desk.commands.next();
    assertThat(release.verbs()).containsExactly("Release");
    release.fail();
    desk.world.advanceMillis(200);
    desk.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    desk.release(caller);
    desk.world.advance(MINUTE);
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void givingBackWhatCouldNotBeReachedEndsWithItsTtl() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(TRUST);
    desk.release(caller);
    desk.world.advance(MINUTE);
    int sent = desk.commands.count();
    desk.world.advance(MINUTE);

    assertThat(sent).isGreaterThan(1);
    assertThat(desk.commands.count()).isEqualTo(sent);
  }

  @Test
  void whatCouldNotBeReachedIsNotPassedOnButGivenBack() {
    Desk.Caller caller = desk.holding();
    desk.world.advanceMillis(TRUST);

    assertThat(desk.handOver(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Unreachable()));
    assertThat(desk.commands.next().verbs()).containsExactly("Release");
  }

  /** By the giver's shorter ttl it would run out between two renewals. */
  @Test
  void anHeirHoldsUnderItsOwnTtl() {
    desk.inherit(token(2));

    Command.Renew renew = (Command.Renew) desk.commands.next().only();
    assertThat(renew.ttlMillis()).hasValue(TTL);
  }

  @Test
  void whoLostAnInheritanceCanAskForItAgainButNobodyHoldsItTwice() {
    Desk.Caller heir = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Renewed(TTL));
    Desk.Caller twice = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Renewed(TTL));
    assertThat(twice.verdict()).isInstanceOf(Verdict.Rejected.class);
    assertThat(heir.losses).isEmpty();

    desk.world.advanceMillis(TRUST);
    assertThat(heir.losses).hasSize(1);
    Desk.Caller again = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Renewed(TTL));
    assertThat(again.verdict()).isInstanceOf(Verdict.Won.class);
  }

  @Test
  void aStoreThatRenewsWhatItGrantedAnewHasLostWrites() {
    desk.holding(wanted(), token(5));
    Desk.Caller heir = desk.inherit(token(4));
    desk.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void whoIsOfferedAsInheritanceWhatItWonByItselfDoubtsTheStore() {
    desk.release(desk.holding(wanted(), token(5)));
    desk.commands.next().answer(new Outcome.Released());
    Desk.Caller heir = desk.inherit(token(5));
    desk.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aStoreThatGrantsATokenAgainHasLostWrites() {
    Desk.Caller first = desk.holding(wanted(), token(5));
    desk.release(first);
    desk.commands.next().answer(new Outcome.Released());

    Desk.Caller waiting = desk.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    desk.commands.next().answer(held(TTL));
    Desk.Caller second = desk.tryAcquire();
    ScriptedWire.Sent acquire = desk.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(5), TTL));

    assertThat(second.verdict()).isInstanceOf(Verdict.Unsafe.class);
    assertThat(waiting.verdict()).isInstanceOf(Verdict.Unsafe.class);
    assertThat(desk.commands.next().verbs()).containsExactly("Abandon");
    assertThat(desk.holdings.heldCount()).isZero();
  }
}
