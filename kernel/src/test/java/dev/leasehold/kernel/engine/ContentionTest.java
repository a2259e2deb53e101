package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.TTL;
import static dev.leasehold.kernel.engine.EngineFixture.held;
import static dev.leasehold.kernel.engine.EngineFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Processes that wait for one key spare the store, and yet each gets its turn. */
class ContentionTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final EngineFixture fixture = new EngineFixture();

  private void grant(ScriptedWire.Sent sent, long counter) {
    sent.answer(ScriptedWire.granted(sent.only(), token(counter), TTL));
  }

  @Test
  void theEndOfAnEarlierGrantThanTheAnswerTellsOfIsNoNews() {
    fixture.acquire(HOUR);
    ScriptedWire.Sent first = fixture.commands.next();
    fixture.changed(Kind.RELEASED, 8);
    first.answer(held(9, 12_000));
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.changed(Kind.RELEASED, 8);
    assertThat(fixture.commands.isQuiet()).as("nor when it comes after the answer").isTrue();
    fixture.changed(Kind.RELEASED, 9);
    grant(fixture.commands.next(), 10);
  }

  @Test
  void theEndOfTheGrantThatTheAnswerTellsOfIsAskedAbout() {
    EngineFixture.Caller caller = fixture.acquire(HOUR);
    ScriptedWire.Sent first = fixture.commands.next();
    fixture.changed(Kind.EXPIRED, 9);
    fixture.changed(Kind.RELEASED, 8);
    first.answer(held(9, 12_000));

    grant(fixture.commands.next(), 10);
    assertThat(caller.isWaiting()).isFalse();
  }

  private void beaten() {
    fixture.manual.jitter.alwaysMost();
    fixture.acquire(HOUR);
    fixture.commands.next().answer(held(9, 12_000));
    fixture.changed(Kind.RELEASED, 9);
    fixture.commands.next().answer(held(10, 12_000));
  }

  @Test
  void whoWasBeatenWaitsForAMomentBeforeItAsksAgain() {
    beaten();
    fixture.changed(Kind.RELEASED, 10);
    fixture.manual.advanceMillis(9);
    assertThat(fixture.commands.isQuiet()).isTrue();
    fixture.manual.advanceMillis(1);
    grant(fixture.commands.next(), 11);
  }

  /** Its own timer was set by the previous grant, which may have had an hour left. */
  @Test
  void whoHearsThatAnotherHasItAsksOnlyWhenItHearsNothingMore() {
    beaten();
    fixture.changed(Kind.RELEASED, 10);
    fixture.changed(Kind.GRANTED, 11);
    fixture.manual.advanceMillis(1_900);
    fixture.changed(Kind.GRANTED, 12);
    fixture.manual.advanceMillis(1_999);
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.manual.advanceMillis(1);
    fixture.commands.next().answer(held(12, 3_000));
    fixture.manual.advanceMillis(3_099);
    assertThat(fixture.commands.isQuiet()).isTrue();
    fixture.manual.advanceMillis(1);
    grant(fixture.commands.next(), 13);
  }

  @Test
  void whoLearnsMeanwhileThatAnotherHasItDoesNotAskAgain() {
    beaten();
    fixture.changed(Kind.RELEASED, 10);
    fixture.changed(Kind.GRANTED, 11);
    fixture.changed(Kind.RELEASED, 11);
    fixture.manual.advanceMillis(20);
    fixture.commands.next().answer(held(12, 12_000));
    fixture.manual.advanceMillis(2_000);
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  @Test
  void aProcessStepsAsideForLongerNowAndThenForOthersThatHearLate() {
    Deque<EngineFixture.Caller> line =
        new ArrayDeque<>(List.of(fixture.acquire(HOUR), fixture.acquire(HOUR)));
    grant(fixture.commands.next(), 1);
    int longAsides = 0;
    for (long counter = 2; counter < 20; counter++) {
      line.addLast(fixture.acquire(HOUR));
      fixture.manual.advanceMillis(1_000);
      fixture.release(line.removeFirst());
      fixture.commands.next().answer(new Outcome.Released());
      fixture.manual.advanceMillis(30);
      if (fixture.commands.isQuiet()) {
        longAsides++;
        fixture.manual.advanceMillis(210);
      }
      grant(fixture.commands.next(), counter);
    }
    assertThat(longAsides).isEqualTo(2);
  }

  @Test
  void aGrantThatIsHeardOfAfterItsEndCallsNothingOff() {
    beaten();
    fixture.changed(Kind.RELEASED, 10);
    fixture.changed(Kind.GRANTED, 10);
    fixture.manual.advanceMillis(10);
    grant(fixture.commands.next(), 11);
  }

  @Test
  void anythingElseThatMayHaveHappenedIsAskedAboutAtOnceAndOnlyOnce() {
    beaten();
    fixture.changed(Kind.RELEASED, 10);
    fixture.hint();
    fixture.commands.next().answer(held(11, 12_000));
    fixture.manual.advanceMillis(10);
    assertThat(fixture.commands.isQuiet()).isTrue();
  }

  /** Callers of one process that pass the key on, up to the limit of such passes. */
  private EngineFixture.Caller lastOfAStint() {
    EngineFixture.Caller first = fixture.acquire(HOUR);
    EngineFixture.Caller second = fixture.acquire(HOUR);
    fixture.acquire(HOUR);
    grant(fixture.commands.next(), 1);
    fixture.release(first);
    ScriptedWire.Sent both = fixture.commands.next();
    assertThat(both.verbs()).containsExactly("Release", "Acquire");
    both.answer(
        new Outcome.Released(), ScriptedWire.granted(both.batch().getLast(), token(2), TTL));
    fixture.manual.advanceMillis(50);
    return second;
  }

  @Test
  void aProcessThatHadTheKeyForAWhileStepsAsideForOthers() {
    fixture.release(lastOfAStint());
    ScriptedWire.Sent release = fixture.commands.next();
    assertThat(release.verbs()).containsExactly("Release");
    release.answer(new Outcome.Released());
    fixture.changed(Kind.RELEASED, 2);
    fixture.manual.advanceMillis(29);
    assertThat(fixture.commands.isQuiet()).as("its own release is no hint").isTrue();

    fixture.manual.advanceMillis(1);
    assertThat(fixture.commands.next().verbs()).containsExactly("Acquire");
  }

  @Test
  void whoSteppedAsideAsksWhenTheOtherHasHadIt() {
    fixture.release(lastOfAStint());
    fixture.commands.next().answer(new Outcome.Released());
    fixture.changed(Kind.GRANTED, 3);
    fixture.manual.advanceMillis(100);
    assertThat(fixture.commands.isQuiet()).isTrue();

    fixture.changed(Kind.RELEASED, 3);
    grant(fixture.commands.next(), 4);
  }

  /**
   * The hint would be ignored then, because the process knows of a later grant, although that one
   * is over too.
   */
  @Test
  void theReleaseOfAnOlderGrantPutsOffNothingThatTheEndOfANewerOneHasPrompted() {
    EngineFixture.Caller lost = fixture.holding();
    fixture.manual.advanceMillis(EngineFixture.TRUST);
    assertThat(lost.losses).hasSize(1);
    EngineFixture.Caller heir = fixture.inherit(token(2));
    fixture.commands.next().answer(new Outcome.Renewed(TTL));
    fixture.acquire(HOUR);
    fixture.commands.next().answer(held(2, TTL));
    fixture.manual.advanceMillis(50);

    fixture.release(heir);
    fixture.commands.next().answer(new Outcome.Released());
    fixture.manual.advanceMillis(10);
    fixture.release(lost);
    fixture.commands.next().answer(new Outcome.Released());
    fixture.manual.advanceMillis(20);
    grant(fixture.commands.next(), 3);
  }
}
