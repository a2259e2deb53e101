package dev.leasehold.server.ops;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.wire.Readings;
import dev.leasehold.remote.wire.Readings.State;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Counts of the held, expired, closed and free leases. It lists a limited number of leases, and at
 * most every few seconds, regardless of how often it is asked.
 */
public final class LeaseCounts {
  static final int MOST = 100_000;
  private static final long FRESH_NANOS = Duration.ofSeconds(5).toNanos();

  private final LeaseStore store;
  private final Ticker ticker;

  // Guarded by the monitor of this object.
  private CompletableFuture<Map<State, Integer>> latest =
      CompletableFuture.completedFuture(Map.of());
  private long askedNanos;
  private boolean asked;

  public LeaseCounts(LeaseStore store, Ticker ticker) {
    this.store = store;
    this.ticker = ticker;
  }

  /** The counts, at most a few seconds old. */
  public synchronized CompletionStage<Map<State, Integer>> look() {
    boolean fresh =
        asked && !latest.isCompletedExceptionally() && ticker.nanos() - askedNanos < FRESH_NANOS;
    if (!fresh && (latest.isDone() || !asked)) {
      asked = true;
      askedNanos = ticker.nanos();
      latest = count(Optional.empty(), new EnumMap<>(State.class), 0).toCompletableFuture();
    }
    return latest;
  }

  /** The latest known count, without asking the store. */
  public synchronized int last(State state) {
    return latest.isDone() && !latest.isCompletedExceptionally()
        ? latest.join().getOrDefault(state, 0)
        : 0;
  }

  private CompletionStage<Map<State, Integer>> count(
      Optional<LeaseKey> after, EnumMap<State, Integer> counts, int seen) {
    return store
        .list(new ListQuery("", after, ListQuery.MAX_LIMIT))
        .thenCompose(
            page -> {
              for (LeaseReading reading : page.items()) {
                counts.merge(Readings.stateOf(reading), 1, Integer::sum);
              }
              int more = seen + page.items().size();
              return page.next().isPresent() && more < MOST
                  ? count(page.next(), counts, more)
                  : CompletableFuture.completedFuture(Map.copyOf(counts));
            });
  }
}
