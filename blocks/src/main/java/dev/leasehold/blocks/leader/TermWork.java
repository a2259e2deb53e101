package dev.leasehold.blocks.leader;

import dev.leasehold.blocks.leader.LoopStatus.Activity;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The work of one term: its loops, and callers' work. A state machine, called in turns. It starts
 * loops when they are due, backs off after failures, checks that every run progresses, and reports
 * when the last run has ended.
 */
final class TermWork {
  private static final long FIRST_BACKOFF_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long LONGEST_BACKOFF_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_DOUBLINGS = 10;

  private final Environment environment;
  private final Pace pace;
  private final Host host;
  private final Map<String, LoopSlot> slots = new LinkedHashMap<>();

  /** What runs, and for which loop; empty for a caller's work. */
  private final Map<WorkRun, Optional<LoopSlot>> runs = new LinkedHashMap<>();

  private Optional<Scheduler.Timer> pulse = Optional.empty();
  private boolean stopping;

  /**
   * How closely progress is checked.
   *
   * @param pulseNanos the interval of the check
   * @param allowance how long a run may go without progress, if its loop does not say
   */
  record Pace(long pulseNanos, Duration allowance) {}

  /** Does what the state machine decides: runs threads, and reports to the lease and the owner. */
  interface Host {
    /** Runs a loop's body on a thread of its own, and then calls {@link TermWork#ended}. */
    void run(LeaderLoop loop, WorkRun run);

    /** Every run has progressed. */
    void progressed();

    /** The last run has ended, and no other will begin. */
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

  /** Registers a caller's work on its own thread; empty when the term is stopping. */
  Optional<WorkRun> admit(String name) {
    if (stopping) {
      return Optional.empty();
    }
    WorkRun run = new WorkRun(name, pace.allowance(), environment.now());
    runs.put(run, Optional.empty());
    return Optional.of(run);
  }

  /** A run has ended: its body has returned on its thread. */
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

  /** A timer may fire although it was cancelled. */
  private void runIfStill(LoopSlot slot, Activity activity) {
    if (slot.activity == activity) {
      run(slot);
    }
  }

  /** Random between half and all of the delay, so that a loop that fails at once never spins. */
  private long backoffNanos(int failures) {
    int doublings = Math.min(MOST_DOUBLINGS, Math.max(0, failures - 1));
    long longest = Math.min(LONGEST_BACKOFF_NANOS, FIRST_BACKOFF_NANOS << doublings);
    return longest / 2 + environment.upTo(longest / 2);
  }

  private void armPulse() {
    pulse = Optional.of(environment.after(pace.pulseNanos(), this::pulse));
  }

  /** Reports progress only if every run has progressed; otherwise the lease stalls. */
  private void pulse() {
    long now = environment.now();
    // Ask all: each call also records the marks for the next check.
    List<WorkRun> standingStill = runs.keySet().stream().filter(run -> !run.moves(now)).toList();
    if (standingStill.isEmpty()) {
      host.progressed();
    }
    if (!hasEnded()) {
      armPulse();
    }
  }

  /** Starts no more runs, and reports when the last has ended. The lease tells them to stop. */
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

  /** The names of the current runs. */
  List<String> running() {
    List<String> names = new ArrayList<>();
    runs.keySet().forEach(run -> names.add(run.name()));
    return names;
  }
}
