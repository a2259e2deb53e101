package dev.leasehold.remote;

import dev.leasehold.remote.wire.BadJsonException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/** Calls servers on threads that may wait, and returns at once. */
final class Calls {
  private final Servers servers;
  private final ExecutorService threads;

  Calls(Servers servers, ExecutorService threads) {
    this.servers = servers;
    this.threads = threads;
  }

  /** A call with an answer. */
  @FunctionalInterface
  interface Call<T> {
    T ask(Servers servers) throws InterruptedException;
  }

  /** A call whose answer does not matter. */
  @FunctionalInterface
  interface Notice {
    void tell(Servers servers) throws InterruptedException;
  }

  <T> CompletionStage<T> answered(Call<T> call) {
    try {
      return CompletableFuture.supplyAsync(() -> await(call), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(closed());
    }
  }

  CompletionStage<Void> later(Notice notice) {
    try {
      return CompletableFuture.runAsync(
          () -> {
            boolean told =
                await(
                    servers -> {
                      notice.tell(servers);
                      return true;
                    });
            assert told;
          },
          threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(closed());
    }
  }

  private <T> T await(Call<T> call) {
    try {
      return call.ask(servers);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(closed());
    } catch (BadJsonException e) {
      throw RemoteStoreException.senseless(servers, e);
    }
  }

  private static IllegalStateException closed() {
    return new IllegalStateException("the way to the server was closed");
  }
}
