package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.LoopStatus.Activity;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Loops as a state machine, without threads, in time that the test controls. */
class TermWorkTest {
  private static final LeaderLoop.Body NOTHING = leading -> {};
  private static final LeaderLoop STREAM = LeaderLoop.stream("watch", NOTHING);
  private static final LeaderLoop SWEEP =
      LeaderLoop.sweep("reconcile", Duration.ofSeconds(60), NOTHING).jitter(Duration.ZERO);
  private static final Duration PULSE = Duration.ofSeconds(5);
  private static final Duration ALLOWANCE = Duration.ofSeconds(20);

  private record Task(long dueNanos, Runnable work) {}

  private final List<Task> tasks = new ArrayList<>();
  private final Map<String, WorkRun> runs = new HashMap<>();
  private final List<String> begun = new ArrayList<>();
  private long nowNanos;
  private int pulses;
  private int rests;

  private final Environment environment =
      new Environment(() -> nowNanos, this::schedule, Runnable::run, new SplittableRandom(1));

  private Scheduler.Timer schedule(Runnable work, long delayNanos) {
    Task task = new Task(nowNanos + delayNanos, work);
    tasks.add(task);
    return () -> tasks.remove(task);
  }

  private void advance(Duration by) {
    long end = nowNanos + by.toNanos();
    Optional<Task> next = next(end);
    while (next.isPresent()) {
      tasks.remove(next.get());
      nowNanos = next.get().dueNanos;
      next.get().work.run();
      next = next(end);
    }
    nowNanos = end;
  }

  private Optional<Task> next(long end) {
    return tasks.stream()
        .filter(task -> task.dueNanos <= end)
        .min((one, other) -> Long.compare(one.dueNanos, other.dueNanos));
  }

  private final class Recorder implements TermWork.Host {
    @Override
    public void run(LeaderLoop loop, WorkRun run) {
      begun.add(loop.name());
      runs.put(loop.name(), run);
    }

    @Override
    public void progressed() {
      pulses++;
    }

    @Override
    public void workEnded() {
      rests++;
    }
  }

  private TermWork work(LeaderLoop... loops) {
    TermWork work =
        new TermWork(
            environment,
            List.of(loops),
            new TermWork.Pace(PULSE.toNanos(), ALLOWANCE),
            new Recorder());
    work.begin();
    return work;
  }

  private WorkRun run(LeaderLoop loop) {
    return Optional.ofNullable(runs.get(loop.name())).orElseThrow();
  }

  @Test
  void aStreamThatHasEndedIsDoneAndASweepComesAgain() {
    TermWork work = work(STREAM, SWEEP);
    assertThat(begun).containsExactly("watch", "reconcile");
    work.ended(run(STREAM), TermWork.RunResult.DONE);
    work.ended(run(SWEEP), TermWork.RunResult.DONE);
    assertThat(work.activityOf(STREAM)).isEqualTo(Activity.DONE);
    assertThat(work.activityOf(SWEEP)).isEqualTo(Activity.RESTING);

    advance(Duration.ofSeconds(59));
    assertThat(begun).hasSize(2);
    advance(Duration.ofSeconds(1));
    assertThat(begun).containsExactly("watch", "reconcile", "reconcile");
    assertThat(rests).isZero();
  }

  @Test
  void aSweepComesLaterByItsJitter() {
    LeaderLoop jittered = SWEEP.jitter(Duration.ofSeconds(30));
    TermWork work = work(jittered);
    List<Long> gaps = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      long endedAt = nowNanos;
      int runs = begun.size();
      work.ended(run(jittered), TermWork.RunResult.DONE);
      while (begun.size() == runs) {
        advance(Duration.ofMillis(100));
      }
      gaps.add((nowNanos - endedAt) / 1_000_000_000L);
    }
    assertThat(gaps).allMatch(gap -> gap >= 60 && gap <= 91);
    assertThat(gaps.stream().distinct().count()).isGreaterThan(5);
  }

  @Test
  void aLoopThatFailsComesAgainLaterAndLaterButNotForEver() {
    TermWork work = work(SWEEP);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      work.ended(run(SWEEP), TermWork.RunResult.FAILED);
      assertThat(work.activityOf(SWEEP)).isEqualTo(Activity.BACKING_OFF);
      long failedAt = nowNanos;
      int runs = begun.size();
      while (begun.size() == runs) {
        advance(Duration.ofMillis(10));
      }
      waits.add((nowNanos - failedAt) / 1_000_000);
    }
    assertThat(waits.get(0)).isBetween(500L, 1_010L);
    assertThat(waits.get(3)).isBetween(4_000L, 8_010L);
    assertThat(waits.get(11)).isBetween(30_000L, 60_010L);
  }

  @Test
  void whatHasMovedBeforeItFailedBeginsItsBackoffAnew() {
    TermWork work = work(STREAM);
    for (int i = 0; i < 8; i++) {
      run(STREAM).progressed();
      work.ended(run(STREAM), TermWork.RunResult.FAILED);
      int runs = begun.size();
      advance(Duration.ofSeconds(1));
      assertThat(begun).hasSize(runs + 1);
    }
  }

  @Test
  void nothingBeginsAfterTheStopAndRestIsToldWhenTheLastHasEnded() {
    TermWork work = work(STREAM, SWEEP);
    work.ended(run(SWEEP), TermWork.RunResult.DONE);
    work.stop();
    assertThat(rests).as("the stream still runs").isZero();
    assertThat(work.running()).containsExactly("watch");
    advance(Duration.ofMinutes(5));
    assertThat(begun).hasSize(2);
    assertThat(work.admit("visitor")).isEmpty();

    work.ended(run(STREAM), TermWork.RunResult.FAILED);
    assertThat(rests).isOne();
    advance(Duration.ofMinutes(5));
    assertThat(begun).hasSize(2);
    assertThat(tasks).as("no timer is left behind").isEmpty();
  }

  @Test
  void withoutWorkItIsAtRestAtOnce() {
    work().stop();
    assertThat(rests).isOne();
  }

  @Test
  void aVisitorIsWaitedForToo() {
    TermWork work = work();
    WorkRun visitor = work.admit("visitor").orElseThrow();
    work.stop();
    assertThat(rests).isZero();
    work.ended(visitor, TermWork.RunResult.DONE);
    assertThat(rests).isOne();
  }

  @Test
  void progressOfALoopDoesNotCountWhileAnotherLoopStandsStill() {
    work(STREAM, SWEEP);
    for (int i = 0; i < 4; i++) {
      run(STREAM).progressed();
      run(SWEEP).progressed();
      advance(PULSE);
    }
    assertThat(pulses).isEqualTo(4);
    for (int i = 0; i < 20; i++) {
      run(SWEEP).progressed();
      advance(PULSE);
    }
    assertThat(pulses).as("the stream's allowance is over after 20 s").isEqualTo(7);
    run(STREAM).progressed();
    run(SWEEP).progressed();
    advance(PULSE);
    assertThat(pulses).as("it moves again").isEqualTo(8);
  }

  @Test
  void betweenItsRunsASweepNeedsToProveNothing() {
    TermWork work = work(SWEEP);
    work.ended(run(SWEEP), TermWork.RunResult.DONE);
    advance(Duration.ofSeconds(59));
    assertThat(pulses).isEqualTo(11);
  }

  @Test
  void aLoopsOwnAllowanceGoesBefore() {
    work(STREAM.allowance(Duration.ofSeconds(40)));
    advance(Duration.ofMinutes(2));
    assertThat(pulses).isEqualTo(7);
  }
}
