package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.KEY;
import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static dev.leasehold.kernel.engine.EngineFixture.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A store or a ticker that reports the impossible: the lease concerned is ended, with the broken
 * invariant as its reason, and other leases go on.
 */
class InvariantsTest {
  private static final Outcome RENEWED = new Outcome.Renewed(TTL);

  private final EngineFixture fixture = new EngineFixture();
  private EngineFixture.Caller victim = new EngineFixture.Caller();
  private EngineFixture.Caller neighbour = new EngineFixture.Caller();

  @BeforeEach
  void holdTwo() {
    victim = fixture.holding();
    neighbour = fixture.holding(wanted(LeaseKey.of("lock", "neighbour")), token(1));
    fixture.manual.advanceMillis(10_000);
  }

  private void assertVictimIsStopped(String invariant) {
    assertThat(victim.losses)
        .singleElement()
        .isInstanceOfSatisfying(
            LossReason.Broken.class, broken -> assertThat(broken.what()).contains(invariant));
    assertThat(fixture.trustMillis(victim)).isZero();
    assertThat(neighbour.losses).isEmpty();
    assertThat(fixture.trustMillis(neighbour)).isPositive();
    fixture.manual.advanceMillis(10_000);
    assertThat(fixture.renewals.last().keys()).doesNotContain(KEY).isNotEmpty();
  }

  @Test
  void aRenewalForLongerThanTheTtlIsNotBelieved() {
    fixture.renewals.next().answer(new Outcome.Renewed(TTL + 1), RENEWED);

    assertVictimIsStopped("30001 ms remain of a grant, where 0 to 30000 ms can");
  }

  @Test
  void aRenewalThatShortensThePromiseIsNotBelieved() {
    fixture.renewals.next().answer(new Outcome.Renewed(16_999), RENEWED);

    assertVictimIsStopped("cut short what it had promised");
  }

  @Test
  void anAnswerToAnEarlierAttemptShortensNothing() {
    ScriptedWire.Sent hung = fixture.renewals.next();
    fixture.manual.advanceMillis(5_010);
    fixture.renewals.last().answerAll(RENEWED);
    hung.answer(RENEWED, RENEWED);

    assertThat(victim.losses).isEmpty();
  }

  @Test
  void aTickerThatGoesBackStopsWhatIsCountedByIt() {
    ScriptedWire.Sent sent = fixture.renewals.next();
    fixture.manual.pause(Duration.ofMillis(-1));
    sent.answerAll(RENEWED);

    assertThat(victim.losses).containsExactly(new LossReason.Broken("the ticker went back"));
  }

  @Test
  void aRenewalAnsweredAsSomethingElseIsNotBelieved() {
    fixture.renewals.next().answer(new Outcome.Released(), RENEWED);

    assertVictimIsStopped("answered a renewal by Released");
  }

  @Test
  void aKeyGrantedAgainWhileItIsTrustedStopsTheOlder() {
    fixture.renewals.next().answerAll(RENEWED);
    EngineFixture.Caller newer = fixture.holding(wanted(), token(2));

    assertThat(victim.losses)
        .singleElement()
        .isInstanceOfSatisfying(
            LossReason.Broken.class,
            broken -> assertThat(broken.what()).contains("while this lease was trusted"));
    assertThat(fixture.trustMillis(newer)).isPositive();
    assertThat(neighbour.losses).isEmpty();
  }

  @Test
  void whatWasStoppedIsGivenBackOnceItsWorkHasEnded() {
    fixture.renewals.next().answer(new Outcome.Renewed(TTL + 1), RENEWED);
    assertThat(fixture.commands.isQuiet()).isTrue();

    assertThat(fixture.release(victim)).containsExactly(new Outcome.Lost(victim.losses.getFirst()));
    assertThat(fixture.commands.next().verbs()).containsExactly("Release");
  }

  private Outcome.Granted granted(Command asked) {
    return ScriptedWire.granted(asked, token(7), TTL);
  }

  private void assertNotBelieved(EngineFixture.Caller caller, String invariant) {
    assertThat(caller.verdict())
        .isInstanceOfSatisfying(
            Verdict.Failed.class, unanswered -> assertThat(unanswered.why()).contains(invariant));
    assertThat(fixture.commands.next().verbs()).containsExactly("Abandon");
    assertThat(neighbour.losses).isEmpty();
    assertThat(fixture.holdings.heldCount()).isEqualTo(2);
  }

  private EngineFixture.Caller third() {
    return fixture.acquire(wanted(LeaseKey.of("lock", "third")), Duration.ofMinutes(1));
  }

  @Test
  void aGrantForLongerThanTheTtlIsNotBelieved() {
    EngineFixture.Caller caller = third();
    ScriptedWire.Sent sent = fixture.commands.next();
    sent.answer(new Outcome.Granted(granted(sent.only()).grant(), TTL + 1));

    assertNotBelieved(caller, "ms remain of a grant");
  }

  @Test
  void aGrantForLessThanNothingIsNotBelieved() {
    EngineFixture.Caller caller = third();
    ScriptedWire.Sent sent = fixture.commands.next();
    sent.answer(new Outcome.Granted(granted(sent.only()).grant(), -1));

    assertNotBelieved(caller, "ms remain of a grant");
  }

  @Test
  void theGrantOfAnotherInstanceIsNotBelieved() {
    EngineFixture.Caller caller = third();
    ScriptedWire.Sent sent = fixture.commands.next();
    Command.Acquire asked = (Command.Acquire) sent.only();
    Command.Acquire bens =
        new Command.Acquire(
            asked.key(), Actor.BEN.instance(), asked.requestId(), asked.terms(), asked.expected());
    sent.answer(granted(bens));

    assertNotBelieved(caller, "the grant of another instance");
  }

  @Test
  void anotherRequestsGrantIsNotBelieved() {
    EngineFixture.Caller caller = third();
    ScriptedWire.Sent sent = fixture.commands.next();
    Command.Acquire asked = (Command.Acquire) sent.only();
    Command.Acquire other =
        new Command.Acquire(
            asked.key(),
            asked.instance(),
            new RequestId("f".repeat(32)),
            asked.terms(),
            asked.expected());
    Grant grant = granted(other).grant();
    sent.answer(new Outcome.Granted(grant, TTL));

    assertNotBelieved(caller, "the grant of another request");
  }

  @Test
  void anAcquireAnsweredAsSomethingElseIsNotBelieved() {
    EngineFixture.Caller caller = third();
    fixture.commands.next().answer(RENEWED);

    assertNotBelieved(caller, "answered an acquire by Renewed");
  }

  @Test
  void anHeirDoesNotBelieveWhatCannotBe() {
    for (Outcome lie : new Outcome[] {new Outcome.Renewed(86_400_001), new Outcome.Released()}) {
      EngineFixture.Caller heir = fixture.inherit(token(2));
      fixture.commands.next().answer(lie);

      assertThat(heir.verdict()).isInstanceOf(Verdict.Failed.class);
      ScriptedWire.Sent release = fixture.commands.next();
      assertThat(release.verbs()).containsExactly("Release");
      release.answer(new Outcome.Released());
    }
  }

  /** The giver's longer grant is valid, and breaks no invariant. */
  @Test
  void anHeirBelievesWhatTheGiverWasPromised() {
    EngineFixture.Caller heir = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Renewed(2 * TTL));
    assertThat(heir.lease().longestRemainingMillis()).isEqualTo(2 * TTL);
  }
}
