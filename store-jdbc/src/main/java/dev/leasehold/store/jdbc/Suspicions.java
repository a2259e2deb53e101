package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Tokens that were brought and that the store never issued: counted, and the last ones kept. */
final class Suspicions {
  private final Deque<SuspectedRollbacks.Case> latest = new ArrayDeque<>();
  private long count;

  synchronized void add(SuspectedRollbacks.Case suspicion) {
    count++;
    latest.addFirst(suspicion);
    if (latest.size() > SuspectedRollbacks.KEPT) {
      latest.removeLast();
    }
  }

  synchronized SuspectedRollbacks report() {
    return new SuspectedRollbacks(count, List.copyOf(latest));
  }
}
