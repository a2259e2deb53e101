package dev.leasehold.verification.crash;

import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.remote.wire.Commands;
import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.Outcomes;
import dev.leasehold.testkit.model.ForwardingStore;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends commands to servers. If one does not answer, it sends the same commands to the next, since
 * they have request ids. Everything else goes directly to the store.
 */
final class ServedCommands extends ForwardingStore {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int OK = 200;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<URI> servers;
  private final boolean forgetful;
  private final AtomicInteger current = new AtomicInteger();

  /**
   * @param forgetful whether it forgets the request ids of its commands when a server is gone
   */
  ServedCommands(LeaseStore store, List<URI> servers, boolean forgetful) {
    super(store);
    this.servers = List.copyOf(servers);
    this.forgetful = forgetful;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return ask(batch, 1);
  }

  private CompletableFuture<List<Outcome>> ask(List<Command> batch, int attempt) {
    int asked = current.get();
    List<Command> sent =
        forgetful && asked > 0 ? batch.stream().map(ServedCommands::anew).toList() : batch;
    byte[] body = Json.write(out -> Commands.writeBatch(out, sent));
    URI server = servers.get(Math.floorMod(asked, servers.size()));
    HttpRequest request =
        HttpRequest.newBuilder(server.resolve("/v1/leases/batch?detail=record"))
            .header("Content-Type", "application/json")
            .timeout(TIMEOUT)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    return client
        .sendAsync(request, BodyHandlers.ofByteArray())
        .thenApply(response -> results(response, batch.size()))
        .exceptionallyCompose(
            failure -> {
              // The first thread that notices moves on for all.
              current.compareAndSet(asked, asked + 1);
              Worker.say("moved on from " + server + ": " + failure);
              return attempt < servers.size()
                  ? ask(batch, attempt + 1)
                  : CompletableFuture.failedFuture(failure);
            });
  }

  private static Command anew(Command command) {
    RequestId id = RequestId.random();
    return switch (command) {
      case Command.Acquire c ->
          new Command.Acquire(c.key(), c.instance(), id, c.terms(), c.expected());
      case Command.Release c -> new Command.Release(c.key(), c.token(), c.instance(), id);
      default -> command;
    };
  }

  private static List<Outcome> results(HttpResponse<byte[]> response, int commands) {
    if (response.statusCode() != OK) {
      throw new IllegalStateException("status " + response.statusCode());
    }
    return Outcomes.readResults(Json.read(response.body()), commands);
  }
}
