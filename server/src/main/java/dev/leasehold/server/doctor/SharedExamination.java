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
 * One examination for all who ask while it lasts, and for a while after it. It takes a thread and
 * connections for seconds: many at once would find the trouble that they make themselves.
 */
public final class SharedExamination {
  static final Duration KEPT = Duration.ofSeconds(3);

  /** One that never ends is not waited for by everybody who ever asks. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final Supplier<CompletionStage<List<Diagnosis>>> examination;
  private final Ticker ticker;
  private CompletableFuture<Found> latest =
      CompletableFuture.failedFuture(new IllegalStateException("nobody has asked"));

  private record Found(List<Diagnosis> all, long atNanos) {}

  public SharedExamination(Supplier<CompletionStage<List<Diagnosis>>> examination, Ticker ticker) {
    this.examination = examination;
    this.ticker = ticker;
  }

  /** Whoever gives up waiting for the answer does so for itself. */
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

  /** After a change that an answer from before would contradict: whoever asks now is told anew. */
  public synchronized void forget() {
    latest = CompletableFuture.failedFuture(new IllegalStateException("what was found is old"));
  }

  private boolean isFresh(CompletableFuture<Found> answered) {
    return answered.state() == CompletableFuture.State.SUCCESS
        && ticker.nanos() - answered.resultNow().atNanos() < KEPT.toNanos();
  }
}
