package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.batches.Lane;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Renewals that were sent alone and found their row locked. They wait for it in the database's own
 * queue, on threads and connections that no other renewal needs, a moment at a time and in turns.
 */
final class WaitingRenewals implements AutoCloseable {
  private static final int THREADS = 2;

  /** The holder loses patience by itself, and earlier where its ttl is short. */
  private static final Duration PATIENCE = Lane.PATIENCE.minusMillis(600);

  private final Lane lane = new Lane("waiting-renewals", THREADS);

  /** A renewal that is sent again takes the place of the one before. */
  private final Map<LeaseKey, ServerBatch> latest = new ConcurrentHashMap<>();

  CompletionStage<List<Settled>> await(LeaseKey key, ServerBatch renewal) {
    latest.put(key, renewal);
    return goOn(key, renewal).whenComplete((done, failure) -> latest.remove(key, renewal));
  }

  private CompletionStage<List<Settled>> goOn(LeaseKey key, ServerBatch renewal) {
    boolean isOver = renewal.ageNanos() > PATIENCE.toNanos() || !renewal.equals(latest.get(key));
    return isOver
        ? CompletableFuture.completedFuture(renewal.end())
        : lane.submit(renewal::waitForRenewal)
            .thenCompose(
                settled ->
                    settled
                        ? CompletableFuture.completedFuture(renewal.end())
                        : goOn(key, renewal));
  }

  @Override
  public void close() {
    lane.close();
  }
}
