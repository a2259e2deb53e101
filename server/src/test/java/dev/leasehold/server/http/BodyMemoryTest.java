package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.Operation;
import dev.leasehold.remote.wire.Members;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * If there is room for one large body, the second one is told to come again, and small ones pass.
 */
@Timeout(120)
class BodyMemoryTest {
  /** Memory for each byte while it is read. */
  private static final int PER_BYTE = 4;

  private static final int LARGE = 150_000;
  private static final int WHOLE = 200_000 * PER_BYTE;
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final BodyMemory memory = new BodyMemory(WHOLE, LONGEST);
  private final AtomicInteger made = new AtomicInteger();
  private final CountDownLatch read = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private final Server server = new Server(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() throws Exception {
    Gatekeeper gatekeeper = new Gatekeeper(new MemoryApiKeys(), false, Ticker.system());
    RequestDispatcher.AccessRules access =
        new RequestDispatcher.AccessRules(gatekeeper, HostRules.loopback(), Ticker.system());
    List<Route> routes =
        List.of(
            Route.post("/keep", Permission.HOLD, this::keep),
            Route.post("/pass", Permission.HOLD, BodyMemoryTest::pass),
            Route.post("/items", Permission.HOLD, this::items));
    server.setHandler(new RequestDispatcher(access, routes, RequestsFixture.REPORTS, memory));
    server.start();
  }

  /** Reads a body, and keeps its memory until the test ends the request. */
  private ApiResponse keep(Call call) throws InterruptedException {
    ApiResponse answer = pass(call);
    read.countDown();
    end.await();
    return answer;
  }

  private static ApiResponse pass(Call call) {
    int length = call.jsonBytes(Operation.BATCH_BODY).length;
    return ApiResponse.text("text/plain", Integer.toString(length));
  }

  private ApiResponse items(Call call) {
    int count =
        call.read(Operation.BATCH_BODY, in -> in.batch("items", 100, this::item)).items().size();
    return ApiResponse.text("text/plain", Integer.toString(count));
  }

  private String item(Members item) {
    made.incrementAndGet();
    return item.text("x");
  }

  @AfterEach
  void stop() throws Exception {
    end.countDown();
    client.shutdownNow();
    server.stop();
  }

  private int port() {
    return ((ServerConnector) server.getConnectors()[0]).getLocalPort();
  }

  private HttpRequest post(String path, BodyPublisher body) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port() + path))
        .header("Content-Type", "application/json")
        .POST(body)
        .build();
  }

  private static BodyPublisher of(int bytes) {
    return BodyPublishers.ofByteArray(new byte[bytes]);
  }

  /** A body without an announced length. */
  private static BodyPublisher chunked(int bytes) {
    return BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[bytes]));
  }

  private void isToldToComeAgain(BodyPublisher body) throws Exception {
    HttpResponse<String> answer = client.send(post("/pass", body), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  private void isRead(int bytes) throws Exception {
    HttpResponse<String> answer = client.send(post("/pass", of(bytes)), BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo(Integer.toString(bytes));
  }

  @Test
  void theSecondLargeBodyIsToldToComeAgain() throws Exception {
    CompletableFuture<HttpResponse<String>> first =
        client.sendAsync(post("/keep", of(LARGE)), BodyHandlers.ofString());
    read.await();
    assertThat(memory.left()).isEqualTo(WHOLE - LARGE * PER_BYTE);
    isToldToComeAgain(of(LARGE));
    isToldToComeAgain(chunked(LARGE));
    isRead(Operation.SMALL_BODY);
    end.countDown();
    assertThat(first.get().statusCode()).isEqualTo(200);
    awaitAllGivenBack();
    isRead(LARGE);
    awaitAllGivenBack();
  }

  /** There would be no room for the whole body as one object. */
  @Test
  void ofABatchOnlyTheItemsAreKept() throws Exception {
    String item = "{\"x\":\"" + "a".repeat(30_000) + "\"}";
    String body = "{\"items\":[" + String.join(",", Collections.nCopies(10, item)) + "]}";
    assertThat(body.length() * PER_BYTE).isGreaterThan(WHOLE);
    HttpResponse<String> answer =
        client.send(post("/items", BodyPublishers.ofString(body)), BodyHandlers.ofString());
    assertThat(answer.body()).isEqualTo("10");
    awaitAllGivenBack();
    isToldToComeAgain(of(body.length()));
  }

  /** Otherwise a caller could take all the room at no cost. */
  @Test
  @Timeout(10)
  void whatHasNotComeTakesNoRoom() throws Exception {
    try (Socket slow = begin(LARGE, 100_000)) {
      while (memory.left() != WHOLE - 100_000 * PER_BYTE
          && !Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      assertThat(slow.isConnected()).isTrue();
      isRead(90_000);
      isToldToComeAgain(of(LARGE));
    }
    awaitAllGivenBack();
  }

  @Test
  void whoStopsSendingIsNotWaitedForUntilTheConnectionIsIdle() throws Exception {
    try (Socket slow = begin(LARGE, 100_000)) {
      slow.setSoTimeout(10_000);
      String answer = new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 408").containsIgnoringCase("connection: close");
    }
    awaitAllGivenBack();
  }

  /** It reserves no memory, so hundreds of them would fill the heap with their items. */
  @Test
  void ofASmallBodyNoItemIsMadeBeforeAllHasCome() throws Exception {
    byte[] sent = ("{\"items\":[" + "{\"x\":\"\"},".repeat(50)).getBytes(StandardCharsets.US_ASCII);
    try (Socket slow = begin("/items", Operation.SMALL_BODY, sent)) {
      slow.setSoTimeout(10_000);
      String answer = new String(slow.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 408");
    }
    assertThat(made).hasValue(0);
  }

  private Socket begin(int told, int sent) throws IOException {
    return begin("/pass", told, new byte[sent]);
  }

  /** A caller that sends less than it announces. */
  private Socket begin(String path, int told, byte[] sent) throws IOException {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: "
            + told
            + "\r\n\r\n";
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(sent);
    return socket;
  }

  /** This may happen a moment after the caller has its answer. */
  private void awaitAllGivenBack() {
    while (memory.left() != WHOLE) {
      Thread.onSpinWait();
    }
  }
}
