package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.MemoryApiKeys;
import dev.leasehold.server.security.Permission;
import dev.leasehold.testkit.time.ManualTicker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A stream that was opened with an API key sends nothing after the key is revoked. */
@Timeout(60)
class RevokedStreamTest {
  private final ManualTicker ticker = new ManualTicker();
  private final MovableKeys keys = new MovableKeys();
  private final ApiKey.Made key = ApiKey.make("me", Set.of(Permission.READ), List.of(""));
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final ChangeHub<LeaseChange> hub = new ChangeHub<>(LeaseWatch.CHANGES_KEPT);
  private final Server server = new Server(0);
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** Keys in a store that may be unreachable. */
  private static final class MovableKeys implements ApiKeys {
    private final MemoryApiKeys there = new MemoryApiKeys();
    private volatile boolean away;

    @Override
    public CompletionStage<Optional<ApiKey>> find(String id) {
      return away
          ? CompletableFuture.failedFuture(new IllegalStateException("away"))
          : there.find(id);
    }

    @Override
    public CompletionStage<Void> add(ApiKey key) {
      return there.add(key);
    }

    @Override
    public CompletionStage<List<ApiKey>> list() {
      return there.list();
    }

    @Override
    public CompletionStage<Boolean> revoke(String id) {
      return there.revoke(id);
    }
  }

  @BeforeEach
  void start() throws Exception {
    var unused = keys.add(key.key());
    Gatekeeper gatekeeper = new Gatekeeper(keys, true, ticker);
    RequestDispatcher.AccessRules access =
        new RequestDispatcher.AccessRules(gatekeeper, HostRules.loopback(), ticker);
    List<Route> routes = new LeaseWatch(store, hub, new Streams(10)).routes();
    server.setHandler(new RequestDispatcher(access, routes, RequestsFixture.REPORTS));
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    hub.close();
    client.shutdownNow();
    server.stop();
    store.close();
  }

  private BufferedReader watch() throws Exception {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/v1/leases/watch"))
            .header("Authorization", "Bearer " + key.text())
            .build();
    return new BufferedReader(
        new InputStreamReader(
            client.send(request, BodyHandlers.ofInputStream()).body(), StandardCharsets.US_ASCII));
  }

  private void change(String name) {
    hub.changed(
        new LeaseChange(LeaseChange.Kind.GRANTED, new LeaseKey("lock/" + name), Token.of(1, 1)));
  }

  /** Reads up to the name of a lease, or to the end. */
  private static String heard(BufferedReader stream, String name) {
    StringBuilder text = new StringBuilder();
    try {
      String line = stream.readLine();
      while (line != null) {
        text.append(line).append('\n');
        if (line.contains("lock/" + name)) {
          return text.toString();
        }
        line = stream.readLine();
      }
      return text + "(the end)";
    } catch (IOException e) {
      return text + "(the end)";
    }
  }

  @Test
  void whoseKeyIsRevokedHearsNoMore() throws Exception {
    try (BufferedReader stream = watch()) {
      change("a");
      assertThat(heard(stream, "a")).contains("lock/a");
      var unused = keys.revoke(key.key().id());
      ticker.advance(Gatekeeper.TRUSTED.plus(Duration.ofMillis(1)));
      change("b");
      assertThat(heard(stream, "b")).doesNotContain("lock/b").endsWith("(the end)");
    }
  }

  @Test
  void whoseKeyCannotBeLookedUpJustNowGoesOnHearing() throws Exception {
    try (BufferedReader stream = watch()) {
      keys.away = true;
      ticker.advance(Gatekeeper.TRUSTED.plus(Duration.ofMillis(1)));
      change("a");
      assertThat(heard(stream, "a")).contains("lock/a");
    }
  }
}
