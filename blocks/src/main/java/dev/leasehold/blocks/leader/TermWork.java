package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.LoopStatus.Activity;
import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that runs under one term: loops, and work that somebody brings. A state machine of its own,
 * called in turns. It begins what is due, waits after failures, watches that everybody moves, and
 * says when nothing runs any more.
 */
final class TermWork {
  private static final long FIRST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_BACKOFF_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_DOUBLINGS = 10;

  private final Environment environment;
  private final Pace pace;
  private final Host host;
  private final Map<String, LoopSlot> slots = new LinkedHashMap<>();

  /** What runs, and for which loop; none where somebody has brought it. */
  private final Map<WorkRun, Optional<LoopSlot>> runs = new LinkedHashMap<>();

  private Optional<Scheduler.Timer> pulse = Optional.empty();
  private boolean stopping;

  /**
   * How closely it is watched.
   *
   * @param pulseNanos how often it is looked whether all move
   * @param allowance how long something may run without progress that says nothing of its own
   */
  record Pace(long pulseNanos, Duration allowance) {}

  /** What is outside: threads, the lease, whoever is told. */
  interface Host {
    /** Runs a loop's body on a thread of its own, and then says that it has ended. */
    void run(LeaderLoop loop, WorkRun run);

    /** Everything has moved. */
    void progressed();

    /** Nothing runs any more, and nothing will. */
    void workEnded();
  }

  /** How a run ended. */
  enum RunResult {
    DONE,
    FAILED
  }

  /** One loop in this term. */
  private static final class LoopSlot {
    final LeaderLoop loop;
    Activity activity = Activity.IDLE;
    int failures;
    Optional<Scheduler.Timer> timer = Optional.empty();

    LoopSlot(LeaderLoop loop) {
      this.loop = loop;
    }
  }

  TermWork(Environment environment, List<LeaderLoop> loops, Pace pace, Host host) {
    this.environment = environment;
    this.pace = pace;
    this.host = host;
    loops.forEach(loop -> slots.put(loop.name(), new LoopSlot(loop)));
  }

  void begin() {
    armPulse();
    slots.values().forEach(this::run);
  }

  private void run(LoopSlot slot) {
    if (stopping) {
      return;
    }
    slot.activity = Activity.RUNNING;
    slot.timer = Optional.empty();
    Duration allowance = slot.loop.allowance().orElse(pace.allowance());
    WorkRun run = new WorkRun(slot.loop.name(), allowance, environment.now());
    runs.put(run, Optional.of(slot));
    host.run(slot.loop, run);
  }

  /** Somebody's work on a thread of theirs; empty when it is too late for any. */
  Optional<WorkRun> admit(String name) {
    if (stopping) {
      return Optional.empty();
    }
    WorkRun run = new WorkRun(name, pace.allowance(), environment.now());
    runs.put(run, Optional.empty());
    return Optional.of(run);
  }

  /** A run has really ended: nothing of it is left on any thread of ours. */
  void ended(WorkRun run, RunResult result) {
    Optional<LoopSlot> slot = runs.getOrDefault(run, Optional.empty());
    runs.remove(run);
    slot.ifPresent(loops -> plan(loops, run, result));
    tellIfEnded();
  }

  private void plan(LoopSlot slot, WorkRun run, RunResult result) {
    if (stopping) {
      slot.activity = Activity.IDLE;
      return;
    }
    slot.failures = result == RunResult.FAILED && !run.hasProgressed() ? slot.failures + 1 : 0;
    switch (result) {
      case FAILED -> wait(slot, Activity.BACKING_OFF, backoffNanos(slot.failures));
      case DONE -> {
        switch (slot.loop.rhythm()) {
          case LeaderLoop.Once once -> slot.activity = Activity.DONE;
          case LeaderLoop.Every every ->
              wait(
                  slot,
                  Activity.RESTING,
                  every.interval().toNanos() + environment.upTo(every.jitter().toNanos()));
        }
      }
    }
  }

  private void wait(LoopSlot slot, Activity activity, long nanos) {
    slot.activity = activity;
    slot.timer = Optional.of(environment.after(nanos, () -> runIfStill(slot, activity)));
  }

  /** A timer may be cancelled too late to keep its event from coming. */
  private void runIfStill(LoopSlot slot, Activity activity) {
    if (slot.activity == activity) {
      run(slot);
    }
  }

  /** Half of it for certain, so that a loop that fails at once never spins. */
  private long backoffNanos(int failures) {
    int doublings = Math.min(MOST_DOUBLINGS, Math.max(0, failures - 1));
    long longest = Math.min(LONGEST_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << doublings);
    return longest / 2 + environment.upTo(longest / 2);
  }

  private void armPulse() {
    pulse = Optional.of(environment.after(pace.pulseNanos(), this::pulse));
  }

  /** One that stands still is enough: then nobody's progress counts, and the lease stalls. */
  private void pulse() {
    long now = environment.now();
    // All are asked, since what they answer is also what they are compared with next time.
    List<WorkRun> standingStill = runs.keySet().stream().filter(run -> !run.moves(now)).toList();
    if (standingStill.isEmpty()) {
      host.progressed();
    }
    if (!hasEnded()) {
      armPulse();
    }
  }

  /** Begins nothing more; says when all has ended. It is told to end by its lease. */
  void stop() {
    stopping = true;
    for (LoopSlot slot : slots.values()) {
      slot.timer.ifPresent(Scheduler.Timer::cancel);
      if (slot.activity != Activity.RUNNING) {
        slot.activity = Activity.IDLE;
      }
    }
    tellIfEnded();
  }

  private boolean hasEnded() {
    return stopping && runs.isEmpty();
  }

  private void tellIfEnded() {
    if (hasEnded()) {
      pulse.ifPresent(Scheduler.Timer::cancel);
      host.workEnded();
    }
  }

  Activity activityOf(LeaderLoop loop) {
    LoopSlot slot = slots.get(loop.name());
    return slot == null ? Activity.IDLE : slot.activity;
  }

  /** The names of what runs. */
  List<String> running() {
    List<String> names = new ArrayList<>();
    runs.keySet().forEach(run -> names.add(run.name()));
    return names;
  }
}
