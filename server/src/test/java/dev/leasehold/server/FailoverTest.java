package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.RemoteLeaseStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that are lost, and servers that are gone. */
@Timeout(120)
class FailoverTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");

  private final LeaseStore behind =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(behind).start();
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger dropped = new AtomicInteger();
  private final Instance me = Instance.random();

  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private HttpServer dropping;

  private boolean passesOn = true;

  /** A server that drops every answer to a POST, and does or does not what was asked. */
  @BeforeEach
  void startDropping() throws IOException {
    dropping = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    dropping.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    dropping.createContext(
        "/",
        exchange -> {
          try (exchange) {
            URI there = server.address().resolve(exchange.getRequestURI());
            HttpRequest.Builder request =
                HttpRequest.newBuilder(there).header("Content-Type", "application/json");
            if (exchange.getRequestMethod().equals("POST")) {
              byte[] body = exchange.getRequestBody().readAllBytes();
              dropped.incrementAndGet();
              if (passesOn) {
                var unused =
                    client
                        .sendAsync(
                            request.POST(BodyPublishers.ofByteArray(body)).build(),
                            BodyHandlers.discarding())
                        .join();
              }
            } else {
              byte[] body =
                  client.sendAsync(request.build(), BodyHandlers.ofByteArray()).join().body();
              exchange.sendResponseHeaders(200, body.length);
              exchange.getResponseBody().write(body);
            }
          }
        });
    dropping.start();
  }

  @AfterEach
  void close() {
    dropping.stop(0);
    server.close();
    behind.close();
  }

  private RemoteLeaseStore store(boolean withTheOther) {
    String first = "http://127.0.0.1:" + dropping.getAddress().getPort();
    return withTheOther
        ? RemoteLeaseStore.at(first, server.address().toString()).open()
        : RemoteLeaseStore.at(first).open();
  }

  private static Command acquire(Instance instance) {
    return Command.Acquire.of(
        KEY, instance, RequestId.random(), Terms.of("h", Duration.ofSeconds(30)));
  }

  private static Outcome ask(LeaseStore store, Command command) {
    return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Test
  void anAnswerThatWasLostIsAskedForAtTheNextServer() {
    try (RemoteLeaseStore store = store(true)) {
      Outcome outcome = ask(store, acquire(me));
      assertThat(dropped).hasValue(1);
      assertThat(outcome).isInstanceOf(Outcome.Granted.class);
      var token = ((Outcome.Granted) outcome).grant().token();
      var reading = behind.read(KEY).toCompletableFuture().join().orElseThrow();
      assertThat(reading.record().last()).as("it was granted once").isEqualTo(token);
    }
  }

  @Test
  void heldIsNotTheLastWordWhileAnEarlierAttemptMayStillArrive() {
    passesOn = false;
    assertThat(ask(behind, acquire(Instance.random()))).isInstanceOf(Outcome.Granted.class);
    try (RemoteLeaseStore store = store(true)) {
      assertThat(ask(store, acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
      assertThat(ask(store, acquire(me))).as("asked anew").isInstanceOf(Outcome.Held.class);
    }
  }

  @Test
  void whatNobodyAnswersIsUnknown() {
    try (RemoteLeaseStore store = store(false)) {
      assertThat(ask(store, acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
      assertThat(dropped).hasValue(2);
    }
  }

  @Test
  void whatCouldNotBeSentIsNotApplied() {
    try (RemoteLeaseStore store = store(false)) {
      dropping.stop(0);
      assertThat(ask(store, acquire(me)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED));
    }
  }

  @Test
  void anAdvanceIsNeverSentTwice() {
    try (RemoteLeaseStore store = store(true)) {
      var advancing = store.advance(Advance.above(0)).toCompletableFuture();
      assertThat(advancing.handle((outcome, failure) -> failure).join())
          .isInstanceOf(CompletionException.class);
      assertThat(dropped).hasValue(1);
    }
  }
}
