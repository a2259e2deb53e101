package dev.leasehold.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.remote.Request.Repeat;
import dev.leasehold.remote.Servers.Timeouts;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that take a request and then stand still, like a server whose process was stopped. */
@Timeout(60)
class ServersTest {
  private static final Duration LITTLE = Duration.ofMillis(200);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void letGo() {
    goesOn.countDown();
  }

  private Servers servers(Timeouts timeouts, ScriptedServer... all) {
    return new Servers(
        List.of(all).stream().map(ScriptedServer::address).toList(),
        Optional.empty(),
        client,
        timeouts);
  }

  private void standStill(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 2);
    exchange.getResponseBody().write('{');
    exchange.getResponseBody().flush();
    try {
      goesOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.getResponseBody().write('}');
  }

  @Test
  void anAnswerThatStopsHalfwayIsWaitedForNoLongerThanOneThatNeverBegins() throws Exception {
    try (ScriptedServer well = ScriptedServer.answering(200, "{}");
        ScriptedServer halting = ScriptedServer.by(this::standStill);
        Servers first = servers(Timeouts.of(LONG), well);
        Servers servers = servers(Timeouts.of(LITTLE), halting)) {
      // The first call of a client takes longer than this limit for the start of an answer.
      assertThat(first.ask(Request.get("/"))).isInstanceOf(Reply.Answer.class);
      assertThat(servers.ask(Request.post("/v1/store/purge", new byte[0], Repeat.NEVER)))
          .isInstanceOfSatisfying(
              Reply.NoAnswer.class, nothing -> assertThat(nothing.doubtful()).isTrue());
    }
  }

  private static void awaitSuspicion(Servers servers) {
    while (servers.place() == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatIsAskedAfterASilenceIsAskedOfTheNextServer() throws Exception {
    try (ScriptedServer halting = ScriptedServer.by(this::standStill);
        ScriptedServer well = ScriptedServer.answering(200, "{}");
        Servers servers = servers(new Timeouts(LONG, LITTLE), halting, well);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> halted = threads.submit(() -> servers.ask(Request.get("/")));
      awaitSuspicion(servers);
      assertThat(servers.ask(Request.get("/"))).isInstanceOf(Reply.Answer.class);
      assertThat(well.asked).hasValue(1);
      assertThat(halted).isNotDone();
      goesOn.countDown();
    }
  }

  /** The slow part may be the store behind all of them. */
  @Test
  void aQuestionWaitsOnWhereItWasAskedAndMovesNothingBack() throws Exception {
    try (ScriptedServer halting = ScriptedServer.by(this::standStill);
        ScriptedServer well = ScriptedServer.answering(200, "{}");
        Servers servers = servers(new Timeouts(LONG, LITTLE), halting, well);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Reply> halted = threads.submit(() -> servers.ask(Request.get("/")));
      awaitSuspicion(servers);
      goesOn.countDown();
      assertThat(halted.get()).as("it was not given up").isInstanceOf(Reply.Answer.class);
      assertThat(servers.place()).as("the silent one is not asked first for that").isEqualTo(1);
    }
  }

  /** When a server ends several streams, each of them passes it over. */
  @Test
  void aServerIsPassedOverOnceHoweverManySaySo() {
    try (ScriptedServer a = ScriptedServer.answering(200, "{}");
        ScriptedServer b = ScriptedServer.answering(200, "{}");
        Servers servers = servers(Timeouts.of(LONG), a, b)) {
      servers.passOver(0);
      servers.passOver(0);
      assertThat(servers.place()).isEqualTo(1);
      servers.passOver(1);
      assertThat(servers.place()).isZero();
    }
  }
}
