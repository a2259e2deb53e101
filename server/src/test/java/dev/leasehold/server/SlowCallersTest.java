package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Over real sockets: a client that writes too slowly is told so, and one that reads too slowly is
 * cut off.
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(120)
class SlowCallersTest {
  private static final int PAUSE_MILLIS = 100;
  private static final int SMALL_BUFFER = 4 * 1024;
  private static final int KEYS = 5_000;

  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());

  @AfterEach
  void stop() {
    assertThat(me.acquire("lock/after").outcome()).isEqualTo("granted");
    server.close();
    store.close();
  }

  private Socket connect(String head) throws IOException {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(SMALL_BUFFER);
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), server.address().getPort()));
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Empty if nothing comes in time. */
  private static OptionalInt readOne(Socket socket) throws IOException {
    try {
      return OptionalInt.of(socket.getInputStream().read());
    } catch (SocketTimeoutException e) {
      return OptionalInt.empty();
    }
  }

  /** Otherwise the caller may send the next request on a connection that is about to end. */
  @Test
  void whoIsAnsweredBeforeAllOfItCameIsToldThatTheConnectionEnds() throws IOException {
    String head =
        String.join(
            "\r\n", "POST /v1/nothing HTTP/1.1", "Host: localhost", "Content-Length: 10", "", "");
    try (Socket socket = connect(head)) {
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 404").containsIgnoringCase("connection: close");
    }
  }

  /** If the client were cut off while it sends, the answer would be lost with the connection. */
  @Test
  void whoSendsTooMuchCanStillReadWhy() throws IOException {
    int length = 8 << 20;
    String head =
        String.join(
            "\r\n",
            "POST /v1/leases/acquire HTTP/1.1",
            "Host: localhost",
            "Content-Type: application/json",
            "Content-Length: " + length,
            "",
            "");
    for (int i = 0; i < 20; i++) {
      try (Socket socket = connect(head)) {
        socket.getOutputStream().write(new byte[length]);
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(answer).startsWith("HTTP/1.1 413");
      }
    }
  }

  /** The client never pauses long enough to be idle, and could send without end. */
  @Test
  void aBodyThatTricklesIsGivenUp() throws IOException {
    String head =
        "POST /v1/leases/acquire HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{";
    try (Socket socket = connect(head)) {
      socket.setSoTimeout(PAUSE_MILLIS);
      StringBuilder answer = new StringBuilder();
      while (answer.isEmpty()) {
        socket.getOutputStream().write(' ');
        readOne(socket).ifPresent(read -> answer.append((char) read));
      }
      socket.setSoTimeout(0);
      byte[] rest = new byte[2 * SMALL_BUFFER];
      int length = socket.getInputStream().read(rest);
      answer.append(new String(rest, 0, length, StandardCharsets.US_ASCII));
      assertThat(answer).startsWith("HTTP/1.1 408").contains("application/problem+json");
    }
  }

  /**
   * The server keeps nothing for this reader: when it reads again, the events that it missed are
   * gone, and the stream ends.
   */
  @Test
  void aReaderThatStopsReadingIsCutOff() throws IOException {
    String head = "GET /v1/leases/watch HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (Socket socket = connect(head);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
      String line = reader.readLine();
      while (!line.startsWith(": watching")) {
        line = reader.readLine();
      }
      int changes = 0;
      for (int round = 0; round < 20; round++) {
        changes += takeAndGiveBack(round);
      }
      int told = 0;
      for (String next = reader.readLine(); next != null; next = reader.readLine()) {
        told += next.startsWith("event:") ? 1 : 0;
      }
      assertThat(told).isPositive().isLessThan(changes);
    }
  }

  private int takeAndGiveBack(int round) {
    List<String> commands = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      String key = "~key~:~lock/" + round + "-" + i + "~,~requestId~:~r~,$";
      commands.add("{~verb~:~acquire~,~holder~:~h~,~ttlMs~:30000," + key + "}");
      commands.add("{~verb~:~abandon~," + key + "}");
    }
    Caller.Reply reply =
        me.post("/v1/leases/batch", "{~commands~:[" + String.join(",", commands) + "]}");
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return commands.size();
  }
}
