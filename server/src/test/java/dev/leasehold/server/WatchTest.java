package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes as events. */
@Timeout(120)
class WatchTest {
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final LeaseholdServer server = LeaseholdServer.on(store).start();
  private final Caller me = new Caller(server.address());

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  /** One event, or a comment with no name. */
  private record Event(String name, String id, String data) {}

  private final class Reader implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader lines;

    Reader(String query, String headers) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
      socket
          .getOutputStream()
          .write(
              ("GET /v1/leases/watch"
                      + query
                      + " HTTP/1.1\r\nHost: localhost\r\n"
                      + headers
                      + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      String line = lines.readLine();
      assertThat(line).contains("200");
      while (!line.equals(": watching")) {
        line = lines.readLine();
      }
    }

    Event next() throws IOException {
      String name = "";
      String id = "";
      while (true) {
        String line = lines.readLine();
        if (line.startsWith("event: ")) {
          name = line.substring(7);
        } else if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("data: ")) {
          return new Event(name, id, line.substring(6));
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  @Test
  void changesOfAPrefixAreTold() throws IOException {
    try (Reader reader = new Reader("?prefix=lock/", "")) {
      me.acquire("leader/x");
      long token = me.acquire("lock/a").token();
      Event granted = reader.next();
      assertThat(granted.name()).isEqualTo("granted");
      assertThat(granted.data()).isEqualTo("{\"key\":\"lock/a\",\"token\":" + token + "}");
      me.release("lock/a", token);
      assertThat(reader.next().name()).isEqualTo("released");
    }
  }

  @Test
  void aReaderGoesOnWhereItWas() throws IOException {
    String id;
    try (Reader reader = new Reader("", "")) {
      me.acquire("lock/a");
      id = reader.next().id();
    }
    me.acquire("lock/b");
    try (Reader reader = new Reader("", "Last-Event-ID: " + id + "\r\n")) {
      Event next = reader.next();
      assertThat(next.name()).isEqualTo("granted");
      assertThat(next.data()).contains("lock/b");
    }
  }

  @Test
  void aReaderFromAnotherTimeGetsAResetAndTheListing() throws IOException {
    long a = me.acquire("lock/a").token();
    me.acquire("lock/b");
    me.release("lock/a", a);
    try (Reader reader = new Reader("", "Last-Event-ID: 0123-7\r\n")) {
      assertThat(reader.next().name()).isEqualTo("reset");
      Event first = reader.next();
      assertThat(first.name()).isEqualTo("released");
      assertThat(first.data()).contains("lock/a");
      Event second = reader.next();
      assertThat(second.name()).isEqualTo("granted");
      assertThat(second.data()).contains("lock/b");
      me.acquire("lock/c");
      assertThat(reader.next().data()).contains("lock/c");
    }
  }

  @Test
  void aServerThatStopsEndsItsStreams() throws IOException {
    try (Reader reader = new Reader("", "")) {
      server.close();
      String line = reader.lines.readLine();
      while (line != null) {
        line = reader.lines.readLine();
      }
      assertThat(line).isNull();
    }
  }
}
