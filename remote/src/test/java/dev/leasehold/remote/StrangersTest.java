package dev.leasehold.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.Servers.Timeouts;
import dev.leasehold.remote.wire.Problem;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other programs that answer in a server's place: a proxy, an ingress, a program on that port. */
@Timeout(60)
class StrangersTest {
  private static final Command RELEASE =
      new Command.Release(
          new LeaseKey("lock/a"), new Token(7), Instance.random(), RequestId.random());

  private static Outcome release(ScriptedServer at) throws InterruptedException {
    try (Servers servers =
        new Servers(
            List.of(at.address()),
            Optional.empty(),
            HttpClient.newHttpClient(),
            Timeouts.of(Duration.ofSeconds(30)))) {
      return new BatchCall<>(servers, RemoteLeaseStore.COMMANDS).apply(List.of(RELEASE)).getFirst();
    }
  }

  /** A release that no server has executed is not done: the client sends it again. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "404 | <html>default backend</html>",
        "404 | {\"status\":404,\"error\":\"Not Found\",\"path\":\"/v1/leases/batch\"}",
        "404 | {\"status\":403,\"title\":\"Not allowed\",\"detail\":\"of another answer\"}",
        "403 | {}",
        "302 | <a href=login>login</a>",
        "204 | ''",
        "502 | bad gateway",
      })
  void whatAProxySaysIsNotTheServersWord(int status, String body) throws Exception {
    try (ScriptedServer proxy = ScriptedServer.answering(status, body)) {
      assertThat(release(proxy))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN);
                assertThat(failed.detail()).contains(proxy.address().toString());
              });
    }
  }

  @Test
  void whatAServerRefusesIsRefusedForGood() throws Exception {
    byte[] problem = new Problem(403, "Not allowed", "this key is not for lock/a").bytes();
    try (ScriptedServer server =
        ScriptedServer.answering(403, new String(problem, StandardCharsets.UTF_8))) {
      assertThat(release(server))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              rejected -> assertThat(rejected.why()).contains("not for lock/a"));
      assertThat(server.asked).hasValue(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"404, <html>", "200, <html>", "200, {}"})
  void anotherProgramIsNotTakenForAServer(int status, String body) {
    try (ScriptedServer other = ScriptedServer.answering(status, body)) {
      assertThatThrownBy(RemoteStore.at(other.address().toString())::open)
          .isInstanceOfSatisfying(
              RemoteStoreException.class, e -> assertThat(e.isUnreachable()).isTrue())
          .hasMessageContainingAll(other.address().toString(), "leasehold server");
    }
  }
}
