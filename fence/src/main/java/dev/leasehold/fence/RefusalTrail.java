package dev.leasehold.fence;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last refusals, and how many there were in all. Several fences may share one. Every refused
 * write is somebody who believed to be the owner, so each one is kept, counted and shown; the
 * oldest make room for new ones.
 */
public final class RefusalTrail {
  public static final int DEFAULT_CAPACITY = 1_000;

  private final InstantSource clock;
  private final int capacity;

  // Both guarded by the monitor of this trail.
  private final Deque<Refusal> newestFirst = new ArrayDeque<>();
  private long total;

  /** A trail of the last 1,000. */
  public RefusalTrail(InstantSource clock) {
    this(clock, DEFAULT_CAPACITY);
  }

  /** A trail of the last so many, at least one. */
  public RefusalTrail(InstantSource clock, int capacity) {
    if (capacity < 1) {
      throw new IllFormedException("a trail keeps at least 1 refusal, not " + capacity);
    }
    this.clock = clock;
    this.capacity = capacity;
  }

  /** For fences: keeps that a target has refused a claim now. */
  public synchronized void add(String target, Claim claim, Admission.Refused answer) {
    total++;
    if (newestFirst.size() == capacity) {
      newestFirst.removeLast();
    }
    newestFirst.addFirst(new Refusal(target, claim, answer, clock.instant()));
  }

  /** What is kept, the latest refusal first. */
  public synchronized List<Refusal> newestFirst() {
    return List.copyOf(newestFirst);
  }

  /** How many there were since the trail began, those no longer kept included. */
  public synchronized long total() {
    return total;
  }
}
