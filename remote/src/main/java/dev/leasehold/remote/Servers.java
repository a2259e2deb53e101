package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.Request.Answered;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.Request.Worth;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * Equal servers on one store. A request goes first to the server that answered last. While a server
 * is silent, its pending request still waits, but new requests go to the next server: a keeper that
 * times out a renewal sends another one, and that must not wait for the same silent server. Every
 * call has a connection of its own, so that no renewal waits behind another call.
 */
final class Servers implements AutoCloseable {
  static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

  /** A single server is asked once more, because it may have closed the idle connection. */
  private static final int FEWEST_ATTEMPTS = 2;

  private final List<URI> addresses;
  private final Optional<String> apiKey;
  private final HttpClient client;
  private final Timeouts timeouts;
  private final Ticker ticker;
  private final AtomicInteger preferred = new AtomicInteger();

  /**
   * How long silence is tolerated.
   *
   * @param answer by a request: after it, the request counts as unanswered and the next server is
   *     asked
   * @param suspicion by later requests: after it, they go to another server
   */
  record Timeouts(Duration answer, Duration suspicion) {
    /**
     * Leaves a lease of 3 s, which is renewed after a third of it, time for a renewal at another
     * server.
     */
    private static final Duration USUAL_SUSPICION = Duration.ofMillis(500);

    static Timeouts of(Duration answer) {
      boolean shorter = answer.compareTo(USUAL_SUSPICION) < 0;
      return new Timeouts(answer, shorter ? answer : USUAL_SUSPICION);
    }
  }

  Servers(List<URI> addresses, Optional<String> apiKey, HttpClient client, Timeouts timeouts) {
    this.addresses = addresses;
    this.apiKey = apiKey;
    this.client = client;
    this.timeouts = timeouts;
    this.ticker = Ticker.system();
  }

  /** Maximum number of attempts; the time limit may allow fewer. */
  private int attempts() {
    return Math.max(FEWEST_ATTEMPTS, addresses.size());
  }

  Reply ask(Request request) throws InterruptedException {
    int first = preferred.get();
    long start = ticker.nanos();
    boolean doubtful = false;
    String why = "";
    for (int i = 0; i < attempts(); i++) {
      int place = (first + i) % addresses.size();
      Attempt attempt = attempt(place, request);
      Worth worth = worth(request, attempt);
      if (worth == Worth.FINAL && attempt instanceof Attempt.Heard(Answered answer)) {
        // Does nothing if another call has moved it meanwhile, because that call knows something
        // newer.
        preferred.compareAndSet(first, place);
        return new Reply.Answer(answer.status(), answer.body(), doubtful);
      }
      doubtful |= worth == Worth.UNKNOWN;
      why = addresses.get(place) + ": " + why(attempt);
      boolean pointless = attempt instanceof Attempt.Unsent && addresses.size() == 1;
      boolean forbidden = doubtful && request.repeat() == Repeat.NEVER;
      boolean late = ticker.nanos() - start > 2 * timeouts.answer().toNanos();
      if (pointless || forbidden || late) {
        break;
      }
    }
    return new Reply.NoAnswer(why, doubtful);
  }

  private static Worth worth(Request request, Attempt attempt) {
    return switch (attempt) {
      case Attempt.Heard(Answered answer) -> request.weighing().apply(answer);
      case Attempt.Unsent unsent -> Worth.NOTHING_DONE;
      case Attempt.Unheard unheard -> Worth.UNKNOWN;
    };
  }

  private static String why(Attempt attempt) {
    return switch (attempt) {
      case Attempt.Heard(Answered answer) -> answer.complaint();
      case Attempt.Unsent(String why) -> why;
      case Attempt.Unheard(String why) -> why;
    };
  }

  private Attempt attempt(int place, Request request) throws InterruptedException {
    HttpRequest.Builder builder = request(addresses.get(place), request.pathAndQuery());
    request
        .body()
        .ifPresent(
            body ->
                builder
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(body)));
    var answering = client.sendAsync(builder.build(), BodyHandlers.ofByteArray());
    try {
      return heard(awaited(place, answering));
    } catch (TimeoutException e) {
      return new Attempt.Unheard("no answer came within " + timeouts.answer().toMillis() + " ms");
    } catch (ExecutionException e) {
      return Attempt.failed(addresses.get(place), e.getCause());
    } finally {
      // The client's own timeout covers only the start of an answer, so an answer that stops
      // halfway is cancelled here.
      var unused = answering.cancel(true);
    }
  }

  private HttpResponse<byte[]> awaited(int place, CompletableFuture<HttpResponse<byte[]>> answering)
      throws InterruptedException, ExecutionException, TimeoutException {
    Duration rest = timeouts.answer().minus(timeouts.suspicion());
    try {
      return answering.get(timeouts.suspicion().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      passOver(place);
      return answering.get(rest.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private static Attempt heard(HttpResponse<byte[]> response) {
    return new Attempt.Heard(new Answered(response.statusCode(), response.body()));
  }

  private HttpRequest.Builder request(URI address, String pathAndQuery) {
    HttpRequest.Builder builder = HttpRequest.newBuilder(URI.create(address + pathAndQuery));
    apiKey.ifPresent(key -> builder.header("Authorization", "Bearer " + key));
    return builder;
  }

  /** The server that is asked first at present. */
  int place() {
    return preferred.get();
  }

  /** Starts to read an endless answer from this server. */
  CompletableFuture<HttpResponse<Void>> stream(
      int place, String pathAndQuery, Optional<String> lastId, EventLines lines) {
    HttpRequest.Builder builder =
        request(addresses.get(place), pathAndQuery).header("Accept", "text/event-stream");
    lastId.ifPresent(id -> builder.header("Last-Event-ID", id));
    return client.sendAsync(builder.build(), lines::handle);
  }

  /** Sends later requests to another server, if there is one and no other call has moved on yet. */
  void passOver(int place) {
    preferred.compareAndSet(place, (place + 1) % addresses.size());
  }

  /** The addresses of the servers. */
  @Override
  public String toString() {
    return addresses.stream().map(URI::toString).collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
