package dev.leasehold.blocks.leader;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** One run of something under a term. Whoever runs it counts its marks, on any thread. */
final class WorkRun {
  private final String name;
  private final long allowanceNanos;
  private final AtomicLong marks = new AtomicLong();

  // The rest belongs to the turns.
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

  /** Whether it has moved within its allowance, as far as whoever looks now and then can tell. */
  boolean moves(long nowNanos) {
    long now = marks.get();
    if (now != seenMarks) {
      seenMarks = now;
      movedAtNanos = nowNanos;
    }
    return nowNanos - movedAtNanos < allowanceNanos;
  }
}
