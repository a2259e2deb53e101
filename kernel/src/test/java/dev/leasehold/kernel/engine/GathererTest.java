package dev.leasehold.kernel.engine;

import static dev.leasehold.kernel.engine.EngineFixture.token;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Actor;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.batches.Gatherer;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Commands that arrive while a batch is in flight become the next batch: no timer, no added wait,
 * each key once in a batch.
 */
class GathererTest {
  private static final GatheringLimits LIMITS = GatheringLimits.ofLeases(Duration.ofSeconds(5));
  private static final int MAX_BATCHES = LIMITS.flight().usual();
  private static final int MAX_BATCH = LIMITS.batch().commands();
  private static final int MAX_IN_FLIGHT = LIMITS.flight().most();
  private static final int FULL_BATCH = LIMITS.flight().full();
  private static final int FEW = LIMITS.flight().few();
  private static final Outcome DONE = new Outcome.Released();
  private static final Outcome UNSENT =
      new Outcome.Failed(Certainty.NOT_APPLIED, "it could not be sent in time");
  private static final Outcome NO_ANSWER =
      new Outcome.Failed(Certainty.UNKNOWN, "no answer came in time");

  private final ManualEnvironment manual = new ManualEnvironment();
  private final ScriptedWire wire = new ScriptedWire(manual);
  private final Gatherer<LeaseKey, Command, Outcome> gatherer =
      new Gatherer<>(Command.KIND, LIMITS, wire, manual.environment);
  private final List<String> told = new ArrayList<>();
  private final List<Answer<Outcome>> answers = new ArrayList<>();
  private int submitted;

  private static Command release(String key, int number) {
    return new Command.Release(
        LeaseKey.of("lock", key), token(1), Actor.ANNA.instance(), new RequestId("r" + number));
  }

  /** Submits a command for each key, named by the key and the number of earlier ones. */
  private void submit(String... keys) {
    manual.event(
        () -> {
          for (String key : keys) {
            String name = key + submitted;
            gatherer.submit(
                release(key, submitted++),
                answer -> {
                  told.add(name);
                  answers.add(answer);
                });
          }
        });
  }

  private static List<String> names(ScriptedWire.Sent sent) {
    return sent.batch().stream()
        .map(command -> (Command.Release) command)
        .map(release -> release.key().name() + release.requestId().text().substring(1))
        .toList();
  }

  @Test
  void oneAloneGoesAtOnce() {
    submit("a");
    long sent = manual.nowNanos();
    ScriptedWire.Sent batch = wire.next();
    assertThat(names(batch)).containsExactly("a0");
    manual.advanceMillis(7);
    batch.answer(DONE);

    assertThat(answers).containsExactly(new Answer<>(DONE, sent));
  }

  /** The store may have decided before the send returned. */
  @Test
  void anAnswerCountsFromBeforeItsBatchWasHandedToTheWire() {
    wire.sendingTakes(Duration.ofSeconds(2));
    long before = manual.nowNanos();
    submit("a");
    assertThat(manual.nowNanos()).as("the send took its time").isGreaterThan(before);
    wire.next().answer(DONE);

    assertThat(answers).containsExactly(new Answer<>(DONE, before));
  }

  @Test
  void whatOneEventSubmitsSharesABatch() {
    submit("a", "b", "a");

    assertThat(names(wire.next())).containsExactly("a0", "b1", "a2");
    assertThat(wire.isQuiet()).isTrue();
  }

  @Test
  void onlySoManyBatchesAreOnTheirWayAndWhatComesMeanwhileSharesTheNext() {
    for (int i = 0; i < MAX_BATCHES + 3; i++) {
      submit("k" + i + "-");
    }
    assertThat(wire.count()).isEqualTo(MAX_BATCHES);

    wire.next().answer(DONE);
    assertThat(names(wire.last())).containsExactly("k4-4", "k5-5", "k6-6");
  }

  @Test
  void toABusyStoreOnlyFullBatchesGoBeyondTheFirstTwo() {
    submit(keys("a", FEW / 2));
    ScriptedWire.Sent first = wire.next();
    submit(keys("b", FEW / 2));
    submit(keys("c", FULL_BATCH - 1));
    assertThat(wire.count()).as("those in it do better to wait").isEqualTo(2);

    submit("one-more");
    assertThat(wire.count()).isEqualTo(3);
    assertThat(names(wire.last())).hasSize(FULL_BATCH);
    submit("d");
    first.answer(Collections.nCopies(FEW / 2, DONE).toArray(Outcome[]::new));
    assertThat(wire.count()).as("still two others").isEqualTo(3);
  }

  private static String[] keys(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> name + i + "-").toArray(String[]::new);
  }

  @Test
  void twoCommandsOfOneKeyAreNeverInTwoBatchesOnTheirWay() {
    submit("a");
    submit("a");
    submit("a", "b");
    ScriptedWire.Sent first = wire.next();
    ScriptedWire.Sent other = wire.next();
    assertThat(names(other)).containsExactly("b3");
    assertThat(wire.isQuiet()).isTrue();

    first.answer(DONE);
    assertThat(names(wire.next())).as("in order").containsExactly("a1", "a2");
  }

  @Test
  void aBatchIsBounded() {
    String[] keys = new String[MAX_BATCH + 1];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = "k" + i + "-";
    }
    submit(keys);

    assertThat(wire.next().batch()).hasSize(MAX_BATCH);
    assertThat(wire.next().batch()).hasSize(1);
  }

  @Test
  void aKeyThatSpansTwoBatchesWaitsForTheFirst() {
    String[] keys = new String[MAX_BATCH + 1];
    Arrays.fill(keys, "a");
    submit(keys);
    ScriptedWire.Sent first = wire.next();
    assertThat(wire.isQuiet()).isTrue();

    first.answerAll(DONE);
    assertThat(names(wire.next())).containsExactly("a" + MAX_BATCH);
  }

  @Test
  void whatIsNotAnsweredInTimeIsUnknownAndALateAnswerIsIgnored() {
    submit("a");
    manual.advanceMillis(4_999);
    assertThat(told).isEmpty();
    manual.advanceMillis(1);
    assertThat(answers.getFirst().outcome()).isEqualTo(NO_ANSWER);

    wire.next().answer(DONE);
    assertThat(told).containsExactly("a0");
  }

  @Test
  void whatCouldNotBeSentInTimeWasNotApplied() {
    submit("a");
    submit("a");
    manual.advanceMillis(5_000);

    assertThat(answers).extracting(Answer::outcome).containsExactly(NO_ANSWER, UNSENT);
    assertThat(wire.count()).as("it is not sent any more").isEqualTo(1);
  }

  /** Their rows may be locked, which must not delay commands on other rows. */
  @Test
  void batchesThatStayOutForLongKeepNoOtherBack() {
    for (int i = 0; i < MAX_BATCHES; i++) {
      submit("k" + i + "-");
    }
    submit("k0-", "new");
    assertThat(wire.count()).isEqualTo(MAX_BATCHES);
    manual.advanceMillis(49);
    assertThat(wire.count()).isEqualTo(MAX_BATCHES);
    manual.advanceMillis(1);

    assertThat(names(wire.last())).as("its key is not on its way").containsExactly("new5");
    wire.last().answer(DONE);
    assertThat(told).containsExactly("new5");
  }

  @Test
  void aStoreThatAnswersNoCommandIsNotSentMoreAndMore() {
    for (int i = 0; i < 4 * MAX_IN_FLIGHT; i++) {
      submit("k" + i + "-");
      manual.advance(Duration.ofNanos(Gatherer.LONG_NANOS / 8));
    }
    assertThat(wire.count()).isEqualTo(MAX_IN_FLIGHT);
  }

  @Test
  void hungBatchesFreeTheirKeys() {
    for (int i = 0; i < MAX_BATCHES; i++) {
      submit("k" + i + "-");
    }
    manual.advanceMillis(3_000);
    submit("k0-");
    assertThat(wire.count()).isEqualTo(MAX_BATCHES);
    manual.advanceMillis(2_000);

    assertThat(names(wire.last())).containsExactly("k0-4");
    wire.last().answer(DONE);
    assertThat(told).hasSize(5);
  }

  @Test
  void aFailedBatchIsUnknownForAll() {
    submit("a", "b");
    wire.next().fail();

    assertThat(answers)
        .extracting(Answer::outcome)
        .containsOnly(new Outcome.Failed(Certainty.UNKNOWN, "connection refused"));
    submit("a");
    assertThat(names(wire.next())).containsExactly("a2");
  }

  @Test
  void anAnswerOfTheWrongLengthAnswersNothing() {
    submit("a", "b");
    wire.next().answer(DONE);

    assertThat(answers)
        .extracting(Answer::outcome)
        .containsOnly(new Outcome.Failed(Certainty.UNKNOWN, "the store answered 1 of 2 commands"));
  }

  @Test
  void anAnswerThatComesTwiceCountsOnce() {
    submit("a");
    ScriptedWire.Sent batch = wire.next();
    batch.answer(DONE);
    batch.answer(DONE);
    batch.fail();

    assertThat(told).containsExactly("a0");
    for (int i = 0; i < MAX_BATCHES + 1; i++) {
      submit("k" + i + "-");
    }
    assertThat(wire.count()).as("its place was freed once").isEqualTo(1 + MAX_BATCHES);
  }
}
