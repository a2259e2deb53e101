package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The number of connections is limited; the next one is served when another has ended. */
@Timeout(120)
class ManyConnectionsTest {
  private static final int ROOM = 2 + Listener.MORE_CONNECTIONS;

  @Test
  void oneMoreThanThereIsRoomForWaitsForAnotherToEnd() throws IOException {
    ServerBounds bounds =
        new ServerBounds(1, 1, ServerBounds.USUAL.idle(), ServerBounds.USUAL.shutdown());
    Deque<Socket> open = new ArrayDeque<>();
    try (LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
        LeaseholdServer server = LeaseholdServer.on(store).bounds(bounds).start()) {
      for (int i = 0; i < ROOM; i++) {
        open.add(connect(server));
      }
      // Connections are accepted in order: this one after all others.
      try (Socket late = connect(server)) {
        late.getOutputStream()
            .write(
                "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        late.setSoTimeout(200);
        assertThatThrownBy(() -> late.getInputStream().read())
            .isInstanceOf(SocketTimeoutException.class);
        late.setSoTimeout(0);
        open.pop().close();
        assertThat(late.getInputStream().read()).isEqualTo('H');
      } finally {
        for (Socket socket : open) {
          socket.close();
        }
      }
    }
  }

  private static Socket connect(LeaseholdServer server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
  }
}
