package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.AnswerTimes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Renewals that were sent alone and found their row locked. They wait in the database's own queue,
 * on threads and connections that no other renewal needs: each for a moment, in turns.
 */
final class WaitingUrgent<K, C, S> implements AutoCloseable {
  private static final int THREADS = 2;

  /** The holder gives up by itself, and earlier if its ttl is short. */
  private static final Duration TIMEOUT = AnswerTimes.STORE.minusMillis(600);

  private final Lane lane = new Lane("waiting-renewals", THREADS);

  /** A renewal that is sent again replaces the previous one. */
  private final Map<K, TableBatch<K, C, S>> latest = new ConcurrentHashMap<>();

  CompletionStage<List<S>> await(K key, TableBatch<K, C, S> renewal) {
    latest.put(key, renewal);
    return goOn(key, renewal).whenComplete((done, failure) -> latest.remove(key, renewal));
  }

  private CompletionStage<List<S>> goOn(K key, TableBatch<K, C, S> renewal) {
    boolean isOver = renewal.ageNanos() > TIMEOUT.toNanos() || !renewal.equals(latest.get(key));
    return isOver
        ? CompletableFuture.completedFuture(renewal.end())
        : lane.submit(renewal::waitAlone)
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
