package dev.leasehold.blocks.leader;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One run of a loop or of a caller's work. The running thread counts its progress marks. */
final class WorkRun {
  private final String name;
  private final long allowanceNanos;
  private final AtomicLong marks = new AtomicLong();

  // Used in turns only.
  private long seenMarks;
  private long movedAtNanos;

  WorkRun(String name, Duration allowance, long nowNanos) {
    this.name = name;
    this.allowanceNanos = allowance.toNanos();
    this.movedAtNanos = nowNanos;
  }

  String name() {
    return name;
  }

  void progressed() {
    marks.incrementAndGet();
  }

  boolean hasProgressed() {
    return marks.get() > 0;
  }

  /** Whether it has progressed within its allowance, by the times at which this was called. */
  boolean moves(long nowNanos) {
    long now = marks.get();
    if (now != seenMarks) {
      seenMarks = now;
      movedAtNanos = nowNanos;
    }
    return nowNanos - movedAtNanos < allowanceNanos;
  }
}
