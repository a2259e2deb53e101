package dev.leasehold.blocks.objects;

import dev.leasehold.blocks.objects.Gathering.Call;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Feeds a {@link Gathering}, and sends what it says; nothing is sent with its lock held. */
final class Gatherer<P, C, A> {
  private final Function<List<C>, CompletionStage<List<A>>> sending;
  private final Supplier<CompletableFuture<A>> tooMuch;

  // Guarded by the monitor of this object.
  private final Gathering<P, C, A> gathering;

  /** {@code tooMuch} answers a call for which there is no room. */
  Gatherer(
      Gathering.Limits limits,
      Function<List<C>, CompletionStage<List<A>>> sending,
      Supplier<CompletableFuture<A>> tooMuch) {
    this.gathering = new Gathering<>(limits);
    this.sending = sending;
    this.tooMuch = tooMuch;
  }

  /** Whoever cancels what is given back withdraws the call, unless it has been sent. */
  CompletableFuture<A> call(P place, C content, long bytes) {
    Call<P, C, A> call = new Call<>(place, content, bytes, new CompletableFuture<>());
    synchronized (this) {
      if (!gathering.hasRoomFor(bytes)) {
        return tooMuch.get();
      }
      gathering.came(call);
    }
    sendAll();
    return call.answer();
  }

  private void sendAll() {
    List<Call<P, C, A>> batch = next();
    while (!batch.isEmpty()) {
      send(batch);
      batch = next();
    }
  }

  private synchronized List<Call<P, C, A>> next() {
    return gathering.next();
  }

  private void send(List<Call<P, C, A>> batch) {
    CompletionStage<List<A>> stage;
    try {
      stage = sending.apply(batch.stream().map(Call::content).toList());
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedFuture(e);
    }
    var unused = stage.whenComplete((answers, failure) -> land(batch, answers, failure));
  }

  private void land(
      List<Call<P, C, A>> batch, @Nullable List<A> answers, @Nullable Throwable failure) {
    synchronized (this) {
      gathering.landed(batch);
    }
    // First, so that the store is not idle while callers are woken.
    sendAll();
    for (int i = 0; i < batch.size(); i++) {
      if (answers != null) {
        batch.get(i).answer().complete(answers.get(i));
      } else if (failure != null) {
        batch.get(i).answer().completeExceptionally(failure);
      }
    }
  }
}
