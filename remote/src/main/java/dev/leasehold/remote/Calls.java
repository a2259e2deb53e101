package dev.leasehold.remote;

import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.wire.BadJsonException;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.remote.wire.StoreFacts;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/** Calls servers on threads that may wait, and returns at once. */
final class Calls {
  private final Servers servers;
  private final ExecutorService threads;

  Calls(Servers servers, ExecutorService threads) {
    this.servers = servers;
    this.threads = threads;
  }

  /** A call of one or more requests. */
  @FunctionalInterface
  interface Call<T> {
    T ask(Servers servers) throws InterruptedException;
  }

  <T> CompletionStage<T> answered(Call<T> call) {
    try {
      return CompletableFuture.supplyAsync(() -> await(call), threads);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(closed());
    }
  }

  <T> CompletionStage<T> get(String pathAndQuery, Function<Members, T> reader) {
    return answered(servers -> reader.apply(servers.ask(Request.get(pathAndQuery)).orThrow()));
  }

  /** An act that has no request id by which the store would recognise a repeat is sent once. */
  <T> CompletionStage<T> postOnce(
      String path, Consumer<JsonOut> body, Function<Members, T> reader) {
    Request request = Request.post(path, Json.write(body), Repeat.NEVER);
    return answered(servers -> reader.apply(servers.ask(request).orThrow()));
  }

  CompletionStage<PurgeReport> purge(String path, PurgeQuery query) {
    PurgeQuery bounded =
        new PurgeQuery(query.deadForMillis(), Math.min(query.limit(), Commands.MAX_ITEMS));
    return postOnce(path, out -> StoreFacts.write(out, bounded), StoreFacts::readPurged);
  }

  <K, C, O> CompletionStage<List<O>> apply(BatchCodec<K, C, O> codec, List<C> batch) {
    List<C> commands = List.copyOf(batch);
    return answered(servers -> new BatchCall<>(servers, codec).apply(commands));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
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
