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
  private final Stage stage;
  private final Map<String, Seat> seats = new LinkedHashMap<>();

  /** What runs, and for which loop; none where somebody has brought it. */
  private final Map<Shift, Optional<Seat>> shifts = new LinkedHashMap<>();

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
  interface Stage {
    /** Runs a loop's body on a thread of its own, and then says that it has ended. */
    void run(GatedLoop loop, Shift shift);

    /** Everything has moved. */
    void progressed();

    /** Nothing runs any more, and nothing will. */
    void atRest();
  }

  /** How a run ended. */
  enum Outcome {
    DONE,
    FAILED
  }

  /** One loop in this term. */
  private static final class Seat {
    final GatedLoop loop;
    Activity activity = Activity.IDLE;
    int failures;
    Optional<Scheduler.Timer> timer = Optional.empty();

    Seat(GatedLoop loop) {
      this.loop = loop;
    }
  }

  TermWork(Environment environment, List<GatedLoop> loops, Pace pace, Stage stage) {
    this.environment = environment;
    this.pace = pace;
    this.stage = stage;
    loops.forEach(loop -> seats.put(loop.name(), new Seat(loop)));
  }

  void begin() {
    armPulse();
    seats.values().forEach(this::run);
  }

  private void run(Seat seat) {
    if (stopping) {
      return;
    }
    seat.activity = Activity.RUNNING;
    seat.timer = Optional.empty();
    Duration allowance = seat.loop.allowance().orElse(pace.allowance());
    Shift shift = new Shift(seat.loop.name(), allowance, environment.now());
    shifts.put(shift, Optional.of(seat));
    stage.run(seat.loop, shift);
  }

  /** Somebody's work on a thread of theirs; empty when it is too late for any. */
  Optional<Shift> admit(String name) {
    if (stopping) {
      return Optional.empty();
    }
    Shift shift = new Shift(name, pace.allowance(), environment.now());
    shifts.put(shift, Optional.empty());
    return Optional.of(shift);
  }

  /** A run has really ended: nothing of it is left on any thread of ours. */
  void ended(Shift shift, Outcome outcome) {
    Optional<Seat> seat = shifts.getOrDefault(shift, Optional.empty());
    shifts.remove(shift);
    seat.ifPresent(loops -> plan(loops, shift, outcome));
    tellIfAtRest();
  }

  private void plan(Seat seat, Shift shift, Outcome outcome) {
    if (stopping) {
      seat.activity = Activity.IDLE;
      return;
    }
    seat.failures = outcome == Outcome.FAILED && !shift.hasProgressed() ? seat.failures + 1 : 0;
    switch (outcome) {
      case FAILED -> wait(seat, Activity.BACKING_OFF, backoffNanos(seat.failures));
      case DONE -> {
        switch (seat.loop.rhythm()) {
          case GatedLoop.Once once -> seat.activity = Activity.DONE;
          case GatedLoop.Every every ->
              wait(
                  seat,
                  Activity.RESTING,
                  every.interval().toNanos() + environment.upTo(every.jitter().toNanos()));
        }
      }
    }
  }

  private void wait(Seat seat, Activity activity, long nanos) {
    seat.activity = activity;
    seat.timer = Optional.of(environment.after(nanos, () -> runIfStill(seat, activity)));
  }

  /** A timer may be cancelled too late to keep its event from coming. */
  private void runIfStill(Seat seat, Activity activity) {
    if (seat.activity == activity) {
      run(seat);
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
    List<Shift> standingStill =
        shifts.keySet().stream().filter(shift -> !shift.moves(now)).toList();
    if (standingStill.isEmpty()) {
      stage.progressed();
    }
    if (!isAtRest()) {
      armPulse();
    }
  }

  /** Begins nothing more; says when all has ended. It is told to end by its lease. */
  void stop() {
    stopping = true;
    for (Seat seat : seats.values()) {
      seat.timer.ifPresent(Scheduler.Timer::cancel);
      if (seat.activity != Activity.RUNNING) {
        seat.activity = Activity.IDLE;
      }
    }
    tellIfAtRest();
  }

  private boolean isAtRest() {
    return stopping && shifts.isEmpty();
  }

  private void tellIfAtRest() {
    if (isAtRest()) {
      pulse.ifPresent(Scheduler.Timer::cancel);
      stage.atRest();
    }
  }

  Activity activityOf(GatedLoop loop) {
    Seat seat = seats.get(loop.name());
    return seat == null ? Activity.IDLE : seat.activity;
  }

  /** The names of what runs. */
  List<String> running() {
    List<String> names = new ArrayList<>();
    shifts.keySet().forEach(shift -> names.add(shift.name()));
    return names;
  }
}
