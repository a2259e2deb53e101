package dev.leasehold.server.doctor;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.wire.Diagnosis;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One examination for all callers while it runs, and for a while after it. It takes a thread and
 * connections for seconds, and several at once would report the load that they cause themselves.
 */
public final class SharedExamination {
  static final Duration KEPT = Duration.ofSeconds(3);

  /**
   * Callers stop sharing an examination that has run for this long, so that one that never ends
   * does not block later callers.
   */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Supplier<CompletionStage<List<Diagnosis>>> examination;
  private final Ticker ticker;
  private CompletableFuture<Found> latest =
      CompletableFuture.failedFuture(new IllegalStateException("no caller has asked"));

  private record Found(List<Diagnosis> all, long atNanos) {}

  public SharedExamination(Supplier<CompletionStage<List<Diagnosis>>> examination, Ticker ticker) {
    this.examination = examination;
    this.ticker = ticker;
  }

  /** A caller that gives up waiting cancels only its own future. */
  public synchronized CompletionStage<List<Diagnosis>> ask() {
    if (latest.isDone() && !isFresh(latest)) {
      latest =
          examination
              .get()
              .thenApply(all -> new Found(all, ticker.nanos()))
              .toCompletableFuture()
              .orTimeout(LONGEST.toSeconds(), TimeUnit.SECONDS);
    }
    return latest.thenApply(Found::all);
  }

  /**
   * Discards the last answer after a change that contradicts it, so that the next caller gets a new
   * one.
   */
  public synchronized void forget() {
    latest = CompletableFuture.failedFuture(new IllegalStateException("what was found is old"));
  }

  private boolean isFresh(CompletableFuture<Found> answered) {
    return answered.state() == CompletableFuture.State.SUCCESS
        && ticker.nanos() - answered.resultNow().atNanos() < KEPT.toNanos();
  }
}
