package dev.leasehold.fence;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The last refusals, and how many there were in all. Several fences may share one trail. Each
 * refused write comes from a process that believed itself the holder, so it is counted and shown;
 * the newest are kept.
 */
public final class RefusalTrail {
  public static final int DEFAULT_CAPACITY = 1_000;

  private final InstantSource clock;
  private final int capacity;

  // Both guarded by the monitor of this trail.
  private final Deque<Refusal> newestFirst = new ArrayDeque<>();
  private long total;

  /** A trail of the last 1,000 refusals. */
  public RefusalTrail(InstantSource clock) {
    this(clock, DEFAULT_CAPACITY);
  }

  /** A trail of the last {@code capacity} refusals, at least one. */
  public RefusalTrail(InstantSource clock, int capacity) {
    if (capacity < 1) {
      throw new IllFormedException("a trail keeps at least 1 refusal, not " + capacity);
    }
    this.clock = clock;
    this.capacity = capacity;
  }

  /** Called by fences: records that a target refuses a claim now. */
  public synchronized void add(String target, Claim claim, Admission.Refused answer) {
    total++;
    if (newestFirst.size() == capacity) {
      newestFirst.removeLast();
    }
    newestFirst.addFirst(new Refusal(target, claim, answer, clock.instant()));
  }

  /** The refusals that are kept, the latest first. */
  public synchronized List<Refusal> newestFirst() {
    return List.copyOf(newestFirst);
  }

  /** How many refusals there were since the trail began, including those no longer kept. */
  public synchronized long total() {
    return total;
  }
}
