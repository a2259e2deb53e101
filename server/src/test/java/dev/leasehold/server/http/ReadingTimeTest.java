package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that does not read a large answer is cut off. */
@Timeout(120)
class ReadingTimeTest {
  /** More than the socket buffers hold. */
  private static final int LARGE = 32 << 20;

  private final CompletableFuture<String> end = new CompletableFuture<>();
  private final Server server = new Server(0);

  private void serve(ReadingTime time) throws Exception {
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            Callback told =
                Callback.from(() -> ended("read", callback), failure -> ended("cut off", callback));
            response.write(
                true, ByteBuffer.wrap(new byte[LARGE]), time.bounded(request, LARGE, told));
            return true;
          }
        });
    server.start();
  }

  private void ended(String how, Callback callback) {
    end.complete(how);
    callback.succeeded();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
  }

  private Socket ask() throws Exception {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket
        .getOutputStream()
        .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  @Test
  void whoDoesNotReadIsCutOff() throws Exception {
    serve(new ReadingTime(Duration.ofMillis(100), LARGE * 10L));
    try (Socket socket = ask()) {
      assertThat(socket.isConnected()).isTrue();
      assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo("cut off");
    }
  }

  @Test
  void whoReadsGetsAllOfIt() throws Exception {
    serve(ReadingTime.USUAL);
    try (Socket socket = ask()) {
      InputStream in = socket.getInputStream();
      assertThat(in.readNBytes(LARGE)).hasSize(LARGE);
      assertThat(end.get(60, TimeUnit.SECONDS)).isEqualTo("read");
    }
  }
}
