package dev.leasehold.verification.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Virtual time, with all pending events, and a record of what has happened. */
final class World {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000 * MILLI;
  private static final int KEPT_FINDINGS = 5;

  private final SplittableRandom random;
  private final Plan plan;
  private final Plant plant;
  private final PriorityQueue<Due> queue = new PriorityQueue<>();
  private final Map<FaultKind, Long> faults = new EnumMap<>(FaultKind.class);
  private final Map<CoveragePoint, Long> coverage = new EnumMap<>(CoveragePoint.class);
  private final List<String> findings = new ArrayList<>();
  private final StringBuilder trace = new StringBuilder();
  private final boolean tracing;
  private long nowNanos;
  private long number;

  World(SplittableRandom random, Plant plant, boolean tracing) {
    this.random = random;
    this.plant = plant;
    this.tracing = tracing;
    this.plan = new Plan(random.split());
  }

  /** The planted defect of the store. */
  Plant plant() {
    return plant;
  }

  /** A pending event. Of several at the same time, the seed decides which is first. */
  static final class Due implements Comparable<Due> {
    private final long atNanos;
    private final int tie;
    private final long number;
    private final Runnable action;
    private boolean cancelled;

    private Due(long atNanos, int tie, long number, Runnable action) {
      this.atNanos = atNanos;
      this.tie = tie;
      this.number = number;
      this.action = action;
    }

    void cancel() {
      cancelled = true;
    }

    @Override
    public int compareTo(Due other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      int byTie = byTime != 0 ? byTime : Integer.compare(tie, other.tie);
      return byTie != 0 ? byTie : Long.compare(number, other.number);
    }
  }

  long now() {
    return nowNanos;
  }

  Plan plan() {
    return plan;
  }

  Due after(long delayNanos, Runnable action) {
    Due due = new Due(nowNanos + Math.max(0, delayNanos), random.nextInt(), number++, action);
    queue.add(due);
    return due;
  }

  /** Runs the next event; false if there is none before the end. */
  boolean step(long endNanos) {
    Due next = queue.poll();
    while (next != null && next.cancelled) {
      next = queue.poll();
    }
    if (next == null || next.atNanos > endNanos) {
      return false;
    }
    nowNanos = next.atNanos;
    next.action.run();
    return true;
  }

  SplittableRandom random() {
    return random;
  }

  long between(long least, long most) {
    return least + random.nextLong(most - least + 1);
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  /** How long a message takes when nothing is wrong: at most 80 ms. */
  long latency() {
    int draw = random.nextInt(100);
    if (draw < 80) {
      return between(MILLI / 5, 5 * MILLI);
    }
    return draw < 98 ? between(5 * MILLI, 30 * MILLI) : between(30 * MILLI, 80 * MILLI);
  }

  /** Whether a small fault strikes here; if so it is counted. */
  boolean strikes(FaultKind kind, String who, Supplier<String> what) {
    double chance = plan.chanceOf(kind);
    boolean struck = chance > 0 && chance(chance);
    if (struck) {
      fault(kind, who, what);
    }
    return struck;
  }

  void fault(FaultKind kind, String who, Supplier<String> what) {
    faults.merge(kind, 1L, Long::sum);
    trace(who, () -> "FAULT " + kind + ": " + what.get());
  }

  void covered(CoveragePoint point) {
    coverage.merge(point, 1L, Long::sum);
  }

  Map<CoveragePoint, Long> coverage() {
    return coverage;
  }

  Map<FaultKind, Long> faults() {
    return faults;
  }

  void trace(String who, Supplier<String> what) {
    if (tracing) {
      trace.append(
          String.format(
              Locale.ROOT,
              "%7d.%06d s  %-9s %s\n",
              nowNanos / SECOND,
              nowNanos % SECOND / 1_000,
              who,
              what.get()));
    }
  }

  void broken(String invariant, String sentence) {
    trace("judge", () -> "BROKEN " + invariant + ": " + sentence);
    if (findings.size() < KEPT_FINDINGS) {
      findings.add(invariant + ": " + sentence);
    }
  }

  List<String> findings() {
    return findings;
  }

  String traceText() {
    return trace.toString();
  }
}
