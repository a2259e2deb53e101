package dev.leasehold.remote;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.remote.Question.Repeat;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that take a question and then stand still, as one does whose process was stopped. */
@Timeout(60)
class ServersTest {
  private static final Duration LITTLE = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final CountDownLatch goesOn = new CountDownLatch(1);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void letGo() {
    goesOn.countDown();
  }

  private Servers servers(Duration answerWithin, ScriptedServer... all) {
    return new Servers(
        List.of(all).stream().map(ScriptedServer::address).toList(),
        Optional.empty(),
        client,
        answerWithin);
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
  }

  @Test
  void anAnswerThatStopsHalfwayIsWaitedForNoLongerThanOneThatNeverBegins() throws Exception {
    try (ScriptedServer well = ScriptedServer.answering(200, "{}");
        ScriptedServer halting = ScriptedServer.by(this::standStill);
        Servers first = servers(LONG, well);
        Servers servers = servers(LITTLE, halting)) {
      // The first call of a client takes longer than the beginning of the answer may.
      assertThat(first.ask(Question.get("/"))).isInstanceOf(Reply.Said.class);
      assertThat(servers.ask(Question.post("/v1/store/purge", new byte[0], Repeat.NEVER)))
          .isInstanceOfSatisfying(
              Reply.Nothing.class, nothing -> assertThat(nothing.doubtful()).isTrue());
    }
  }
}
