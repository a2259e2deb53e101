package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * With a limit of two waiters and two watchers, the third is told to come again, and other requests
 * are served.
 */
@Timeout(120)
class CrowdTest {
  private static final int ROOM = 2;

  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final SharedCommands commands = SharedCommands.to(store::apply);
  private final WaitingRequests waitingRequests = new WaitingRequests(commands, ROOM);
  private final ChangeHub<LeaseChange> hub = new ChangeHub<>(LeaseWatch.CHANGES_KEPT);
  private final Streams open = new Streams(ROOM);
  private final LeaseWatch watch = new LeaseWatch(store, hub, open);
  private final Server server = new Server(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @BeforeEach
  void start() throws Exception {
    List<Route> routes =
        new ArrayList<>(new LeaseCommands(commands, waitingRequests, RowUnlocking.none()).routes());
    routes.addAll(watch.routes());
    Gatekeeper gatekeeper = new Gatekeeper(new MemoryApiKeys(), false, Ticker.system());
    RequestDispatcher.AccessRules access =
        new RequestDispatcher.AccessRules(gatekeeper, HostRules.loopback(), Ticker.system());
    server.setHandler(new RequestDispatcher(access, routes, RequestsFixture.REPORTS));
    server.start();
    assertThat(client.send(acquire("a", 0), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(client.send(acquire("after", 0), BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    hub.close();
    waitingRequests.drain();
    client.shutdownNow();
    server.stop();
    waitingRequests.close();
    commands.close();
    store.close();
  }

  private URI at(String path) {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    return URI.create("http://localhost:" + port + path);
  }

  private HttpRequest acquire(String name, int waitMillis) {
    String body =
        "{\"key\":\"lock/%s\",\"holder\":\"h\",\"ttlMs\":60000,\"instance\":\"%s\",\"waitMs\":%d}"
            .formatted(name, "ab".repeat(16), waitMillis);
    return HttpRequest.newBuilder(at("/v1/leases/acquire"))
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body))
        .build();
  }

  private static void isToldToComeAgain(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(429);
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  private void awaitWaiting(int number) {
    while (waitingRequests.waiting() != number) {
      Thread.onSpinWait();
    }
  }

  @Test
  void tooManyThatWaitAreToldToComeAgain() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> callers = new ArrayList<>();
    for (int i = 1; i <= ROOM; i++) {
      callers.add(client.sendAsync(acquire("a", 60_000), BodyHandlers.ofString()));
      awaitWaiting(i);
    }
    isToldToComeAgain(client.send(acquire("a", 60_000), BodyHandlers.ofString()));
    // A request that does not wait is answered.
    assertThat(client.send(acquire("b", 0), BodyHandlers.ofString()).statusCode()).isEqualTo(200);
    // When one has gone, the next is accepted.
    assertThat(callers.getFirst().cancel(true)).isTrue();
    awaitWaiting(ROOM - 1);
    callers.add(client.sendAsync(acquire("a", 60_000), BodyHandlers.ofString()));
    awaitWaiting(ROOM);
  }

  @Test
  void tooManyThatWatchAreToldToComeAgain() throws Exception {
    HttpRequest request = HttpRequest.newBuilder(at("/v1/leases/watch")).build();
    List<InputStream> streams = new ArrayList<>();
    for (int i = 0; i < ROOM; i++) {
      HttpResponse<InputStream> stream = client.send(request, BodyHandlers.ofInputStream());
      assertThat(stream.statusCode()).isEqualTo(200);
      streams.add(stream.body());
    }
    isToldToComeAgain(client.send(request, BodyHandlers.ofString()));
    assertThat(open.count()).isEqualTo(ROOM);
    for (InputStream stream : streams) {
      stream.close();
    }
  }
}
