package dev.leasehold.fence.http;

import static dev.leasehold.fence.http.Service.KEY;
import static dev.leasehold.fence.http.Service.claim;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpHandler;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An old holder's request that was admitted and is slow, while a successor seals. */
@Timeout(60)
class SlowRequestTest {
  private final MemoryFence fence =
      new MemoryFence("orders", new RefusalTrail(InstantSource.fixed(Instant.EPOCH)));
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final CountDownLatch letIn = new CountDownLatch(1);
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  private final HttpHandler slow =
      exchange -> {
        letIn.countDown();
        try {
          mayGoOn.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        events.add("old change took effect");
        Problem.send(exchange, 200, "text/plain", "");
      };

  /** Seals while the old request is between its check and its change. */
  private void sealMeanwhile(FenceFilter filter) throws Exception {
    try (Service service = new Service(fence, filter, slow)) {
      CompletableFuture<FencedResponse<String>> old = new CompletableFuture<>();
      Thread.ofPlatform().daemon().start(() -> complete(service, old));
      assertThat(letIn.await(30, TimeUnit.SECONDS)).isTrue();
      Thread successor =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    if (fence.seal(claim(6)) instanceof Admission.Admitted) {
                      events.add("sealed");
                    }
                  });
      while (successor.isAlive() && successor.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      mayGoOn.countDown();
      assertThat(old.get(30, TimeUnit.SECONDS)).isInstanceOf(FencedResponse.Received.class);
      successor.join();
      assertThat(service.change(5))
          .isEqualTo(new FencedResponse.Refused<>(new Admission.Stale(new Token(6))));
    }
  }

  private static void complete(Service service, CompletableFuture<FencedResponse<String>> answer) {
    try {
      answer.complete(service.change(5));
    } catch (Throwable e) {
      answer.completeExceptionally(e);
    }
  }

  @Test
  void a_seal_waits_for_a_lower_request_that_is_being_handled() throws Exception {
    sealMeanwhile(FenceFilter.around(fence, KEY));
    assertThat(events).containsExactly("old change took effect", "sealed");
  }

  /** The control: without handling inside the fence, the same request goes through. */
  @Test
  void advice_lets_it_through_after_the_seal() throws Exception {
    sealMeanwhile(FenceFilter.advising(fence, KEY));
    assertThat(events).containsExactly("sealed", "old change took effect");
  }

  /** Otherwise a client that is stopped while it sends would block its successor for ever. */
  @Test
  void a_request_that_has_not_come_in_whole_keeps_no_seal_waiting() throws Exception {
    mayGoOn.countDown();
    try (Service service = new Service(fence, FenceFilter.around(fence, KEY), slow);
        Socket socket = new Socket(service.address().getAddress(), service.address().getPort())) {
      assertThat(fence.seal(claim(5))).isEqualTo(Admission.ADMITTED);
      String head =
          String.join(
              "\r\n",
              "POST /change HTTP/1.1",
              "Host: x",
              "Leasehold-Key: lock/a",
              "Leasehold-Token: 5",
              "Expect: 100-continue",
              "Content-Length: 4",
              "",
              "");
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      // The status 100 shows that the handling has begun.
      assertThat(status(socket)).isEqualTo("HTTP/1.1 100 Continue");
      assertThat(service.fenced().sealing(service.at("/seal")).seal(claim(6)))
          .isEqualTo(Admission.ADMITTED);
      socket.getOutputStream().write("body".getBytes(StandardCharsets.US_ASCII));
      assertThat(status(socket)).isEqualTo("HTTP/1.1 409 Conflict");
    }
    assertThat(events).isEmpty();
  }

  /** The next status line of the answer. */
  private static String status(Socket socket) throws Exception {
    StringBuilder line = new StringBuilder();
    for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
      line.append((char) c);
      if (c == '\n' && line.indexOf("HTTP/") == 0) {
        return line.toString().strip();
      }
      if (c == '\n') {
        line.setLength(0);
      }
    }
    return "closed";
  }
}
