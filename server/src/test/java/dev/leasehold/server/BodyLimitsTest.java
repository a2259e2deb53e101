package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.MemoryStore;
import dev.leasehold.kernel.spi.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The largest request of each address; after a refusal the next request is served as usual. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(120)
class BodyLimitsTest {
  private final Store store = MemoryStore.open();
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());

  @AfterEach
  void isUnharmed() {
    assertThat(me.acquire("lock/after").outcome()).isEqualTo("granted");
    server.close();
    store.close();
  }

  /** Refused by its announced length, before it is sent. */
  @ParameterizedTest
  @CsvSource({
    "POST, /v1/leases/acquire, 65536",
    "POST, /v1/leases/release, 65536",
    "POST, /v1/leases/abandon, 65536",
    "POST, /v1/leases/handover, 65536",
    "POST, /v1/leases/revoke, 65536",
    "POST, /v1/fences/t/admit, 65536",
    "POST, /v1/fences/t/seal, 65536",
    "POST, /v1/store/advance, 65536",
    "POST, /v1/store/purge, 65536",
    "PUT, /v1/objects/t/a, 2097152",
    "POST, /v1/leases/renew, 33554432",
    "POST, /v1/leases/batch, 33554432",
    "POST, /v1/ledger, 33554432"
  })
  void oneByteMoreThanIsAllowedIsTooLarge(String method, String path, int most) throws IOException {
    String head =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + (most + 1)
            + "\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .startsWith("HTTP/1.1 413")
          .contains("application/problem+json")
          .contains("at most " + most + " bytes");
    }
  }

  @Test
  void asMuchAsIsAllowedIsRead() {
    String body = "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:30000,$";
    int rest = 64 * 1024 - body.replace("$", "~instance~:~" + me.instance.secret() + "~").length();
    Caller.Reply reply = me.post("/v1/leases/acquire", body + " ".repeat(rest - 1) + "}");
    assertThat(reply.outcome()).isEqualTo("granted");
  }

  @Test
  void tenThousandCommandsAreOneBatch() {
    String one = "{~verb~:~abandon~,~key~:~lock/a~,~requestId~:~r~,$}";
    String many = String.join(",", Collections.nCopies(10_000, one));
    Caller.Reply reply = me.post("/v1/leases/batch", "{~commands~:[" + many + "]}");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.json().list("results", 10_000)).hasSize(10_000);
  }

  @Test
  void aBatchOfNothingIsAnsweredSo() {
    assertThat(me.post("/v1/leases/batch", "{~commands~:[]}").text()).isEqualTo("{\"results\":[]}");
  }

  /** The command would take effect, and a stranger would get its answer. */
  @Test
  void oneCommandThatMakesNoSenseStopsTheWholeBatchBeforeItBegins() {
    String good = "{~verb~:~acquire~,~key~:~lock/b~,~holder~:~h~,~ttlMs~:30000,$}";
    for (String bad : new String[] {"{~verb~:~steal~,~key~:~lock/a~}", "{}", "7", "{~verb~:7}"}) {
      Caller.Reply reply = me.post("/v1/leases/batch", "{~commands~:[" + good + "," + bad + "]}");
      assertThat(reply.status()).as(bad).isEqualTo(400);
      assertThat(reply.json().text("detail")).contains("commands[1]");
    }
    assertThat(me.get("/v1/leases/lock/b").status()).isEqualTo(404);
  }

  /** A refusal names the member, even if its name is ill-formed. */
  @Test
  void halfACharacterInANameIsBadInputAndNoMore() {
    for (String body : new String[] {"{~\\ud800~:1.5}", "{~\\ud800~:1}", "{~key~:~\\ud800~}"}) {
      Caller.Reply reply = me.post("/v1/leases/acquire", body);
      assertThat(reply.status()).as(body).isEqualTo(400);
      assertThat(reply.type()).isEqualTo("application/problem+json");
    }
  }
}
