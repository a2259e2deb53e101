package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Acquires that wait: I11, and what happens to them when their caller has gone. */
@Timeout(120)
class WaitingTest {
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());
  private final Caller other = new Caller(server.address());

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  private static String waiting(String key, long waitMillis) {
    return "{~key~:~" + key + "~,~holder~:~h~,~ttlMs~:30000,~waitMs~:" + waitMillis + ",$}";
  }

  private void awaitWaiting(int count) {
    while (!me.get("/metrics")
        .text()
        .contains("leasehold_requests{state=\"waiting\"} " + count + ".0")) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReleaseWakesWhoWaits() {
    long token = me.acquire("lock/a").token();
    CompletableFuture<Caller.Reply> later =
        other.postLater("/v1/leases/acquire", waiting("lock/a", 60_000));
    awaitWaiting(1);
    me.release("lock/a", token);
    assertThat(later.join().outcome()).isEqualTo("granted");
    assertThat(later.join().token()).isGreaterThan(token);
    awaitWaiting(0);
  }

  @Test
  void anExpiryWakesWhoWaits() {
    me.post("/v1/leases/acquire", "{~key~:~lock/a~,~holder~:~h~,~ttlMs~:200,$}");
    Caller.Reply later = other.post("/v1/leases/acquire", waiting("lock/a", 60_000));
    assertThat(later.outcome()).isEqualTo("granted");
  }

  @Test
  void aWaiterThatTimesOutIsToldWhoHoldsTheKey() {
    long token = me.acquire("lock/a").token();
    Caller.Reply held = other.post("/v1/leases/acquire", waiting("lock/a", 50));
    assertThat(held.status()).isEqualTo(409);
    assertThat(held.token()).isEqualTo(token);
  }

  private Socket parkBySocket(String body) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
    socket
        .getOutputStream()
        .write(
            ("POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\n"
                    + "Content-Type: application/json\r\nContent-Length: "
                    + body.length()
                    + "\r\n\r\n"
                    + body)
                .getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void aConnectionThatWaitedIsUsedAgain() throws IOException {
    long token = me.acquire("lock/a").token();
    try (Socket socket = parkBySocket(other.filled(waiting("lock/a", 20)))) {
      assertThat(answer(socket)).contains("409").contains("\"held\"");
      socket
          .getOutputStream()
          .write(
              "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(answer(socket)).contains("200").contains("alive");
    }
    assertThat(me.release("lock/a", token).outcome()).isEqualTo("released");
  }

  /** Head and body of one answer. */
  private static String answer(Socket socket) throws IOException {
    StringBuilder text = new StringBuilder();
    while (!text.toString().contains("\r\n\r\n") || !text.toString().endsWith("}")) {
      int read = socket.getInputStream().read();
      assertThat(read).isNotNegative();
      text.append((char) read);
    }
    return text.toString();
  }

  @Test
  void aServerThatStopsSendsWhoWaitsElsewhere() {
    me.acquire("lock/a");
    CompletableFuture<Caller.Reply> later =
        other.postLater("/v1/leases/acquire", waiting("lock/a", 60_000));
    awaitWaiting(1);
    server.close();
    assertThat(later.join().status()).isEqualTo(503);
    assertThat(later.join().whole().headers().firstValue("Retry-After")).contains("1");
  }

  @Test
  void theWaiterThatCameFirstGetsTheKeyFirst() {
    long token = me.acquire("lock/a").token();
    CompletableFuture<Caller.Reply> first =
        other.postLater("/v1/leases/acquire", waiting("lock/a", 60_000));
    awaitWaiting(1);
    Caller third = new Caller(server.address());
    CompletableFuture<Caller.Reply> second =
        third.postLater("/v1/leases/acquire", waiting("lock/a", 60_000));
    awaitWaiting(2);
    me.release("lock/a", token);
    assertThat(first.join().outcome()).isEqualTo("granted");
    assertThat(second).isNotDone();
    other.release("lock/a", first.join().token());
    assertThat(second.join().token()).isGreaterThan(first.join().token());
  }
}
