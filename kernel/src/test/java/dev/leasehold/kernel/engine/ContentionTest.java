package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.Desk.TTL;
import static dev.leasehold.kernel.engine.Desk.held;
import static dev.leasehold.kernel.engine.Desk.token;
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

  private final Desk desk = new Desk();

  private void grant(ScriptedWire.Sent sent, long counter) {
    sent.answer(ScriptedWire.granted(sent.only(), token(counter), TTL));
  }

  @Test
  void theEndOfAnEarlierGrantThanTheAnswerTellsOfIsNoNews() {
    desk.acquire(HOUR);
    ScriptedWire.Sent first = desk.commands.next();
    desk.changed(Kind.RELEASED, 8);
    first.answer(held(9, 12_000));
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.changed(Kind.RELEASED, 8);
    assertThat(desk.commands.isQuiet()).as("nor when it comes after the answer").isTrue();
    desk.changed(Kind.RELEASED, 9);
    grant(desk.commands.next(), 10);
  }

  @Test
  void theEndOfTheGrantThatTheAnswerTellsOfIsAskedAbout() {
    Desk.Caller caller = desk.acquire(HOUR);
    ScriptedWire.Sent first = desk.commands.next();
    desk.changed(Kind.EXPIRED, 9);
    desk.changed(Kind.RELEASED, 8);
    first.answer(held(9, 12_000));

    grant(desk.commands.next(), 10);
    assertThat(caller.isWaiting()).isFalse();
  }

  private void beaten() {
    desk.world.dice.alwaysMost();
    desk.acquire(HOUR);
    desk.commands.next().answer(held(9, 12_000));
    desk.changed(Kind.RELEASED, 9);
    desk.commands.next().answer(held(10, 12_000));
  }

  @Test
  void whoWasBeatenWaitsForAMomentBeforeItAsksAgain() {
    beaten();
    desk.changed(Kind.RELEASED, 10);
    desk.world.advanceMillis(9);
    assertThat(desk.commands.isQuiet()).isTrue();
    desk.world.advanceMillis(1);
    grant(desk.commands.next(), 11);
  }

  /** Its own timer was set by the previous grant, which may have had an hour left. */
  @Test
  void whoHearsThatAnotherHasItAsksOnlyWhenItHearsNothingMore() {
    beaten();
    desk.changed(Kind.RELEASED, 10);
    desk.changed(Kind.GRANTED, 11);
    desk.world.advanceMillis(1_900);
    desk.changed(Kind.GRANTED, 12);
    desk.world.advanceMillis(1_999);
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.world.advanceMillis(1);
    desk.commands.next().answer(held(12, 3_000));
    desk.world.advanceMillis(3_099);
    assertThat(desk.commands.isQuiet()).isTrue();
    desk.world.advanceMillis(1);
    grant(desk.commands.next(), 13);
  }

  @Test
  void whoLearnsMeanwhileThatAnotherHasItDoesNotAskAgain() {
    beaten();
    desk.changed(Kind.RELEASED, 10);
    desk.changed(Kind.GRANTED, 11);
    desk.changed(Kind.RELEASED, 11);
    desk.world.advanceMillis(20);
    desk.commands.next().answer(held(12, 12_000));
    desk.world.advanceMillis(2_000);
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  @Test
  void aProcessStepsAsideForLongerNowAndThenForOthersThatHearLate() {
    Deque<Desk.Caller> line = new ArrayDeque<>(List.of(desk.acquire(HOUR), desk.acquire(HOUR)));
    grant(desk.commands.next(), 1);
    int longAsides = 0;
    for (long counter = 2; counter < 20; counter++) {
      line.addLast(desk.acquire(HOUR));
      desk.world.advanceMillis(1_000);
      desk.release(line.removeFirst());
      desk.commands.next().answer(new Outcome.Released());
      desk.world.advanceMillis(30);
      if (desk.commands.isQuiet()) {
        longAsides++;
        desk.world.advanceMillis(210);
      }
      grant(desk.commands.next(), counter);
    }
    assertThat(longAsides).isEqualTo(2);
  }

  @Test
  void aGrantThatIsHeardOfAfterItsEndCallsNothingOff() {
    beaten();
    desk.changed(Kind.RELEASED, 10);
    desk.changed(Kind.GRANTED, 10);
    desk.world.advanceMillis(10);
    grant(desk.commands.next(), 11);
  }

  @Test
  void anythingElseThatMayHaveHappenedIsAskedAboutAtOnceAndOnlyOnce() {
    beaten();
    desk.changed(Kind.RELEASED, 10);
    desk.hint();
    desk.commands.next().answer(held(11, 12_000));
    desk.world.advanceMillis(10);
    assertThat(desk.commands.isQuiet()).isTrue();
  }

  /** Callers of one process that pass the key on, up to the limit of such passes. */
  private Desk.Caller lastOfAStint() {
    Desk.Caller first = desk.acquire(HOUR);
    Desk.Caller second = desk.acquire(HOUR);
    desk.acquire(HOUR);
    grant(desk.commands.next(), 1);
    desk.release(first);
    ScriptedWire.Sent both = desk.commands.next();
    assertThat(both.verbs()).containsExactly("Release", "Acquire");
    both.answer(
        new Outcome.Released(), ScriptedWire.granted(both.batch().getLast(), token(2), TTL));
    desk.world.advanceMillis(50);
    return second;
  }

  @Test
  void aProcessThatHadTheKeyForAWhileStepsAsideForOthers() {
    desk.release(lastOfAStint());
    ScriptedWire.Sent release = desk.commands.next();
    assertThat(release.verbs()).containsExactly("Release");
    release.answer(new Outcome.Released());
    desk.changed(Kind.RELEASED, 2);
    desk.world.advanceMillis(29);
    assertThat(desk.commands.isQuiet()).as("its own release is no hint").isTrue();

    desk.world.advanceMillis(1);
    assertThat(desk.commands.next().verbs()).containsExactly("Acquire");
  }

  @Test
  void whoSteppedAsideAsksWhenTheOtherHasHadIt() {
    desk.release(lastOfAStint());
    desk.commands.next().answer(new Outcome.Released());
    desk.changed(Kind.GRANTED, 3);
    desk.world.advanceMillis(100);
    assertThat(desk.commands.isQuiet()).isTrue();

    desk.changed(Kind.RELEASED, 3);
    grant(desk.commands.next(), 4);
  }

  /**
   * The hint would be ignored then, because the process knows of a later grant, although that one
   * is over too.
   */
  @Test
  void theReleaseOfAnOlderGrantPutsOffNothingThatTheEndOfANewerOneHasPrompted() {
    Desk.Caller lost = desk.holding();
    desk.world.advanceMillis(Desk.TRUST);
    assertThat(lost.losses).hasSize(1);
    Desk.Caller heir = desk.inherit(token(2));
    desk.commands.next().answer(new Outcome.Renewed(TTL));
    desk.acquire(HOUR);
    desk.commands.next().answer(held(2, TTL));
    desk.world.advanceMillis(50);

    desk.release(heir);
    desk.commands.next().answer(new Outcome.Released());
    desk.world.advanceMillis(10);
    desk.release(lost);
    desk.commands.next().answer(new Outcome.Released());
    desk.world.advanceMillis(20);
    grant(desk.commands.next(), 3);
  }
}
