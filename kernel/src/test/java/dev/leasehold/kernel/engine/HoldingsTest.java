package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.TRUST;
import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.held;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.LossReason;
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

  private final EngineFixture fixture = new EngineFixture();

  /** Until then the store would keep the key from others, although no process holds it. */
  @Test
  void aHandOverIsRepeatedForAsLongAsTheStoreKeepsTheKey() {
    AcquireRequest plain = wanted();
    long kept = 4 * TTL;
    AcquireRequest longer =
        new AcquireRequest(
            plain.key(),
            plain.instance(),
            Actor.ANNA.terms(kept),
            plain.expected(),
            plain.timing());
    EngineFixture.Caller caller = fixture.holding(longer, token(1));
    List<Outcome> told = fixture.handOver(caller);
    fixture.manual.advanceMillis(2 * TTL);

    assertThat(told).as("no answer came, and none is guessed").isEmpty();
    fixture.commands.last().answerAll(new Outcome.HandedOver(token(2)));
    assertThat(told).containsExactly(new Outcome.HandedOver(token(2)));
  }

  @Test
  void whatIsReleasedIsNotTrustedFromThenOn() {
    EngineFixture.Caller caller = fixture.holding();
    List<Outcome> told = fixture.release(caller);

    assertThat(fixture.trustMillis(caller)).isZero();
    assertThat(caller.lease().over()).contains(new LossReason.Released());
    fixture.commands.next().answer(new Outcome.Released());
    assertThat(told).containsExactly(new Outcome.Released());
    assertThat(caller.losses).as("no caller needs to be told").isEmpty();
    fixture.manual.advance(MINUTE);
    assertThat(fixture.renewals.count()).isZero();
  }

  @Test
  void aSecondReleaseIsToldThatItWasReleased() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.release(caller);
    fixture.commands.next().answer(new Outcome.Released());

    assertThat(fixture.release(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Released()));
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void aCallerCannotReleaseWhatItHasLost() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Revoked("op", "stuck")));

    assertThat(fixture.release(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Revoked("op", "stuck")));
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void aLossWakesWhoWaitsInTheSameProcess() {
    fixture.holding();
    EngineFixture.Caller next = fixture.acquire(MINUTE);
    fixture.commands.next().answer(held(TTL));
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Stalled()));

    ScriptedWire.Sent acquire = fixture.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(2), TTL));
    assertThat(next.lease().token()).isEqualTo(token(2));
  }

  @Test
  void whatIsHandedOverIsNotTrustedFromThenOn() {
    EngineFixture.Caller caller = fixture.holding();
    List<Outcome> told = fixture.handOver(caller);
    assertThat(fixture.trustMillis(caller)).isZero();

    fixture.commands.next().answer(new Outcome.HandedOver(token(2)));
    assertThat(told).containsExactly(new Outcome.HandedOver(token(2)));
    assertThat(fixture.commands.isQuiet()).isTrue();
    assertThat(fixture.handOver(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Released()));
  }

  /** Waiters must not wait for ever because a holder's work does not end. */
  @Test
  void whatIsWoundDownIsKeptUntilItsGraceIsOverAndNoLonger() {
    EngineFixture.Caller caller =
        fixture.holding(wanted(KEY, Duration.ofMillis(TTL), MINUTE.dividedBy(5)), token(1));
    List<String> told = new ArrayList<>();
    fixture.manual.event(
        () ->
            fixture.holdings.windDown(
                caller.lease(), () -> told.add("interrupted"), () -> told.add("left")));
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(new Outcome.Renewed(TTL));
    fixture.manual.advanceMillis(2_000);
    assertThat(told).containsExactly("interrupted");
    assertThat(fixture.holdings.heldCount()).isZero();

    fixture.manual.advance(MINUTE);
    assertThat(told).containsExactly("interrupted", "left");
    assertThat(fixture.renewals.isQuiet()).isTrue();
  }

  @Test
  void whatTheHeirCannotHaveIsGivenBackInstead() {
    EngineFixture.Caller caller = fixture.holding();
    List<Outcome> told = fixture.handOver(caller);
    Outcome refused = new Outcome.Closed("barred", OptionalLong.of(30_000));
    fixture.commands.next().answer(refused);

    assertThat(told).containsExactly(refused);
    assertThat(fixture.commands.next().verbs()).containsExactly("Release");
  }

  @Test
  void anHeirTrustsFromItsOwnFirstRenewal() {
    EngineFixture.Caller heir = fixture.inherit(token(2));
    assertThat(heir.isWaiting()).isTrue();
    fixture.manual.advanceMillis(400);
    fixture.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(fixture.trustMillis(heir)).isEqualTo(TRUST - 400);
    fixture.manual.advanceMillis(10_000);
    assertThat(fixture.renewals.next().verbs()).containsExactly("Renew");
  }

  @Test
  void anHeirIsToldWhatBecameOfTheInheritance() {
    EngineFixture.Caller late = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    EngineFixture.Caller wrong = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Rejected("no"));

    assertThat(late.verdict()).isEqualTo(new Verdict.Gone(new LossReason.Expired()));
    assertThat(wrong.verdict()).isEqualTo(new Verdict.Rejected("no"));
  }

  @Test
  void anHeirWithoutAnAnswerTrustsNothing() {
    EngineFixture.Caller heir = fixture.inherit(token(2));
    fixture.manual.advance(MINUTE);

    assertThat(heir.verdict()).isInstanceOf(Verdict.Failed.class);
    assertThat(fixture.holdings.heldCount()).isZero();
  }

  @Test
  void anHeirIsNotGivenWhatItCouldNotTrustForAnyWork() {
    EngineFixture.Caller heir = new EngineFixture.Caller();
    AcquireRequest hasty = wanted(KEY, Duration.ofMillis(3_000), Duration.ofMillis(300));
    fixture.manual.event(() -> fixture.holdings.inherit(hasty, token(2), heir, heir));
    fixture.manual.advanceMillis(2_800);
    fixture.commands.next().answer(new Outcome.Renewed(3_000));
    assertThat(fixture.holdings.heldCount()).isZero();

    // The answer leaves no trust for work, so the heir asks again, and gives up when its time is
    // over.
    fixture.manual.advanceMillis(2_800);
    fixture.commands.next().answer(new Outcome.Renewed(3_000));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Failed.class);
    assertThat(fixture.holdings.heldCount()).isZero();
    assertThat(fixture.commands.next().verbs()).containsExactly("Release");
  }

  @Test
  void nothingIsInheritedFromAStoreThatHasLostWritesOrAfterTheEnd() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));
    assertThat(caller.losses).containsExactly(new LossReason.Unknown());
    assertThat(fixture.inherit(token(2)).verdict()).isInstanceOf(Verdict.Unsafe.class);

    fixture.shutDown();
    assertThat(fixture.inherit(token(2)).verdict()).isEqualTo(new Verdict.Cancelled());
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void aStoreThatNoLongerKnowsItsGrantIsNotUsedAnyMore() {
    fixture.holding();
    EngineFixture.Caller first = fixture.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    EngineFixture.Caller second = fixture.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    fixture.commands.next().answer(held(TTL));
    fixture.manual.advanceMillis(10_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    for (EngineFixture.Caller waiting : List.of(first, second, fixture.tryAcquire())) {
      assertThat(waiting.verdict())
          .isInstanceOfSatisfying(
              Verdict.Unsafe.class,
              unsafe -> assertThat(unsafe.why()).contains("Advance its incarnation"));
    }
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  /** Its row was deleted by hand, and its token is below the floor. */
  @Test
  void aGrantThatIsUnknownButWillBeOutrankedIsLostAlone() {
    EngineFixture.Caller one = fixture.holding();
    fixture.manual.advanceMillis(5_000);
    EngineFixture.Caller other = fixture.holding(wanted(LeaseKey.of("lock", "other")), token(1));
    fixture.manual.advanceMillis(5_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(LossReason.Unknown.after(token(1))));

    assertThat(one.losses).containsExactly(LossReason.Unknown.after(token(1)));
    assertThat(other.losses).isEmpty();
    assertThat(fixture.trustMillis(other)).isPositive();
    assertThat(fixture.tryAcquire().isWaiting()).isTrue();
  }

  @Test
  void aGrantThatIsUnknownAndWouldBeIssuedAgainShowsLostWritesHoweverLate() {
    EngineFixture.Caller caller = fixture.holding(wanted(KEY), token(2));
    fixture.manual.advanceMillis(10_000);
    fixture.manual.pause(Duration.ofMillis(TRUST - 10_000).plusMinutes(10));
    fixture.renewals.next().answerAll(new Outcome.Lost(LossReason.Unknown.after(token(1))));

    assertThat(caller.losses).containsExactly(LossReason.Unknown.after(token(1)));
    assertThat(fixture.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  /** A record is purged only when nothing can depend on it, and 10 minutes after that. */
  @Test
  void whatIsUnknownLongAfterItsTrustMayHaveBeenTidiedUp() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.manual.pause(Duration.ofMillis(TRUST - 10_000).plusMinutes(10));
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(caller.losses).containsExactly(new LossReason.Unknown());
    assertThat(fixture.tryAcquire().isWaiting()).isTrue();
  }

  @Test
  void whatIsUnknownSoonerIsLostWrites() {
    fixture.holding();
    fixture.manual.advanceMillis(10_000);
    fixture.manual.pause(Duration.ofMillis(TRUST - 10_001).plusMinutes(10));
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(fixture.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aReleaseOfWhatTheStoreNoLongerKnowsShowsLostWritesToo() {
    EngineFixture.Caller caller = fixture.holding();
    List<Outcome> told = fixture.release(caller);
    Outcome unknown = new Outcome.Lost(new LossReason.Unknown());
    fixture.commands.next().answer(unknown);

    assertThat(told).containsExactly(unknown);
    assertThat(fixture.tryAcquire().verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aLateGrantThatCannotBeConfirmedBecauseItIsUnknownShowsLostWritesToo() {
    EngineFixture.Caller caller =
        fixture.acquire(wanted(KEY, Duration.ofSeconds(3), Duration.ZERO), MINUTE);
    ScriptedWire.Sent acquire = fixture.commands.next();
    fixture.manual.advanceMillis(2_900);
    acquire.answer(ScriptedWire.granted(acquire.only(), token(1), 3_000));
    fixture.commands.next().answer(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(caller.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  /** The store may have granted the other keys to others too, and its answers prove nothing. */
  @Test
  void whatElseIsHeldInAStoreThatHasLostWritesIsLostAtOnceAndTheStoreLeftAlone() {
    EngineFixture.Caller one = fixture.holding();
    fixture.manual.advanceMillis(5_000);
    EngineFixture.Caller other = fixture.holding(wanted(LeaseKey.of("lock", "other")), token(1));
    fixture.manual.advanceMillis(5_000);
    fixture.renewals.next().answerAll(new Outcome.Lost(new LossReason.Unknown()));

    assertThat(one.losses).containsExactly(new LossReason.Unknown());
    assertThat(other.losses)
        .singleElement()
        .isInstanceOfSatisfying(
            LossReason.Broken.class,
            broken -> assertThat(broken.what()).contains("it has lost writes"));
    assertThat(fixture.trustMillis(other)).isZero();
    assertThat(fixture.holdings.heldCount()).isZero();
    assertThat(fixture.release(other)).containsExactly(new Outcome.Lost(other.losses.getFirst()));
    fixture.manual.advance(MINUTE);
    assertThat(fixture.renewals.isQuiet()).isTrue();
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  /**
   * Renewals may have arrived although no answer came, so without a release others would wait a
   * ttl.
   */
  @Test
  void whatCouldNotBeReachedIsGivenBackOnceItsWorkHasEnded() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(TRUST);
    assertThat(caller.losses).containsExactly(new LossReason.Unreachable());
    fixture.manual.advanceMillis(2_000);
    assertThat(fixture.commands.isQuiet()).as("its work may still run").isTrue();

    assertThat(fixture.release(caller))
        .as("told at once, not when the store is back")
        .containsExactly(new Outcome.Lost(new LossReason.Unreachable()));
    ScriptedWire.Sent release = fixture.commands.next();
    assertThat(release.verbs()).containsExactly("Release");
    release.fail();
    fixture.manual.advanceMillis(200);
    fixture.commands.next().answer(new Outcome.Lost(new LossReason.Expired()));
    fixture.release(caller);
    fixture.manual.advance(MINUTE);
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void givingBackWhatCouldNotBeReachedEndsWithItsTtl() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(TRUST);
    fixture.release(caller);
    fixture.manual.advance(MINUTE);
    int sent = fixture.commands.count();
    fixture.manual.advance(MINUTE);

    assertThat(sent).isGreaterThan(1);
    assertThat(fixture.commands.count()).isEqualTo(sent);
  }

  @Test
  void whatCouldNotBeReachedIsNotPassedOnButGivenBack() {
    EngineFixture.Caller caller = fixture.holding();
    fixture.manual.advanceMillis(TRUST);

    assertThat(fixture.handOver(caller))
        .containsExactly(new Outcome.Lost(new LossReason.Unreachable()));
    assertThat(fixture.commands.next().verbs()).containsExactly("Release");
  }

  /** By the giver's shorter ttl it would run out between two renewals. */
  @Test
  void anHeirHoldsUnderItsOwnTtl() {
    fixture.inherit(token(2));

    Command.Renew renew = (Command.Renew) fixture.commands.next().only();
    assertThat(renew.ttlMillis()).hasValue(TTL);
  }

  @Test
  void anHeirThatLostItsInheritanceCanAskForItAgainButCannotHoldItTwice() {
    EngineFixture.Caller heir = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));
    EngineFixture.Caller twice = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));
    assertThat(twice.verdict()).isInstanceOf(Verdict.Rejected.class);
    assertThat(heir.losses).isEmpty();

    fixture.manual.advanceMillis(TRUST);
    assertThat(heir.losses).hasSize(1);
    EngineFixture.Caller again = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));
    assertThat(again.verdict()).isInstanceOf(Verdict.Won.class);
  }

  @Test
  void aStoreThatRenewsWhatItGrantedAnewHasLostWrites() {
    fixture.holding(wanted(), token(5));
    EngineFixture.Caller heir = fixture.inherit(token(4));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void whoIsOfferedAsInheritanceWhatItWonByItselfDoubtsTheStore() {
    fixture.release(fixture.holding(wanted(), token(5)));
    fixture.commands.next().answer(new Outcome.Released());
    EngineFixture.Caller heir = fixture.inherit(token(5));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));

    assertThat(heir.verdict()).isInstanceOf(Verdict.Unsafe.class);
  }

  @Test
  void aStoreThatGrantsATokenAgainHasLostWrites() {
    EngineFixture.Caller first = fixture.holding(wanted(), token(5));
    fixture.release(first);
    fixture.commands.next().answer(new Outcome.Released());

    EngineFixture.Caller waiting = fixture.acquire(wanted(LeaseKey.of("lock", "other")), MINUTE);
    fixture.commands.next().answer(held(TTL));
    EngineFixture.Caller second = fixture.tryAcquire();
    ScriptedWire.Sent acquire = fixture.commands.next();
    acquire.answer(ScriptedWire.granted(acquire.only(), token(5), TTL));

    assertThat(second.verdict()).isInstanceOf(Verdict.Unsafe.class);
    assertThat(waiting.verdict()).isInstanceOf(Verdict.Unsafe.class);
    assertThat(fixture.commands.next().verbs()).containsExactly("Abandon");
    assertThat(fixture.holdings.heldCount()).isZero();
  }
}
