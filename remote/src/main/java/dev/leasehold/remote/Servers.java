package dev.leasehold.remote;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.Question.Answered;
import dev.leasehold.remote.Question.Repeat;
import dev.leasehold.remote.Question.Worth;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
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
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Equal servers on one store: whichever answers will do, and the one that did is asked first the
 * next time. Every call has a connection of its own, so that no renewal waits behind another call.
 */
final class Servers implements AutoCloseable {
  static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);

  /** A server alone is asked once more: it may have closed the connection that was kept open. */
  private static final int FEWEST_ATTEMPTS = 2;

  private final List<URI> addresses;
  private final Optional<String> apiKey;
  private final HttpClient client;
  private final Duration answerWithin;
  private final Ticker ticker;
  private final AtomicInteger preferred = new AtomicInteger();

  Servers(List<URI> addresses, Optional<String> apiKey, HttpClient client, Duration answerWithin) {
    this.addresses = addresses;
    this.apiKey = apiKey;
    this.client = client;
    this.answerWithin = answerWithin;
    this.ticker = Ticker.system();
  }

  /** What came of one attempt. */
  private sealed interface Attempt {
    record Heard(Answered answer) implements Attempt {}

    /** Nothing has left this machine that a server could act on. */
    record Unsent(String why) implements Attempt {}

    /** It may have arrived. */
    record Unheard(String why) implements Attempt {}
  }

  /** How often it is asked, at the most, and until when a new attempt is begun. */
  private int attempts() {
    return Math.max(FEWEST_ATTEMPTS, addresses.size());
  }

  Reply ask(Question question) throws InterruptedException {
    int first = preferred.get();
    long start = ticker.nanos();
    boolean doubtful = false;
    String why = "";
    for (int i = 0; i < attempts(); i++) {
      int place = (first + i) % addresses.size();
      Attempt attempt = attempt(addresses.get(place), question);
      Worth worth = worth(question, attempt);
      if (worth == Worth.FINAL && attempt instanceof Attempt.Heard(Answered answer)) {
        preferred.set(place);
        return new Reply.Said(answer.status(), answer.body(), doubtful);
      }
      doubtful |= worth == Worth.UNKNOWN;
      why = addresses.get(place) + ": " + why(attempt);
      boolean pointless = attempt instanceof Attempt.Unsent && addresses.size() == 1;
      boolean forbidden = doubtful && question.repeat() == Repeat.NEVER;
      boolean late = ticker.nanos() - start > 2 * answerWithin.toNanos();
      if (pointless || forbidden || late) {
        break;
      }
    }
    return new Reply.Nothing(why, doubtful);
  }

  private static Worth worth(Question question, Attempt attempt) {
    return switch (attempt) {
      case Attempt.Heard(Answered answer) -> question.weighing().apply(answer);
      case Attempt.Unsent unsent -> Worth.NOTHING_DONE;
      case Attempt.Unheard unheard -> Worth.UNKNOWN;
    };
  }

  private static String why(Attempt attempt) {
    return switch (attempt) {
      case Attempt.Heard(Answered answer) ->
          new Reply.Said(answer.status(), answer.body(), false).complaint();
      case Attempt.Unsent(String why) -> why;
      case Attempt.Unheard(String why) -> why;
    };
  }

  private Attempt attempt(URI address, Question question) throws InterruptedException {
    HttpRequest.Builder request = request(address, question.pathAndQuery());
    question
        .body()
        .ifPresent(
            body ->
                request
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofByteArray(body)));
    var answering = client.sendAsync(request.build(), BodyHandlers.ofByteArray());
    try {
      return heard(answering.get(answerWithin.toNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return new Attempt.Unheard("no answer came within " + answerWithin.toMillis() + " ms");
    } catch (ExecutionException e) {
      return failed(e.getCause());
    } finally {
      // The client's own limit ends where an answer begins: one that stops halfway is left here.
      var unused = answering.cancel(true);
    }
  }

  private static Attempt heard(HttpResponse<byte[]> response) {
    return new Attempt.Heard(new Answered(response.statusCode(), response.body()));
  }

  private static Attempt failed(@Nullable Throwable cause) {
    return switch (cause) {
      case ConnectException e -> new Attempt.Unsent("it cannot be reached" + said(e));
      case HttpConnectTimeoutException e -> new Attempt.Unsent("it cannot be reached" + said(e));
      case SSLHandshakeException e -> new Attempt.Unsent("it cannot be reached" + said(e));
      case IOException e -> new Attempt.Unheard("no answer came" + said(e));
      case null, default -> throw new IllegalStateException("an attempt failed", cause);
    };
  }

  private static String said(IOException e) {
    return e.getMessage() == null ? "" : " (" + e.getMessage() + ")";
  }

  private HttpRequest.Builder request(URI address, String pathAndQuery) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + pathAndQuery));
    apiKey.ifPresent(key -> request.header("Authorization", "Bearer " + key));
    return request;
  }

  /** Begins to read what does not end, from the server that answers, or the next one after it. */
  CompletableFuture<HttpResponse<Void>> stream(
      String pathAndQuery, Optional<String> lastId, EventLines lines) {
    HttpRequest.Builder request =
        request(addresses.get(preferred.get()), pathAndQuery).header("Accept", "text/event-stream");
    lastId.ifPresent(id -> request.header("Last-Event-ID", id));
    return client.sendAsync(request.build(), lines::handle);
  }

  /** The next stream is asked of another server, if there is one. */
  void passOver() {
    preferred.updateAndGet(place -> (place + 1) % addresses.size());
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
