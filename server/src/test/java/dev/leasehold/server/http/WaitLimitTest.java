package dev.leasehold.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.SharedCommands;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import dev.leasehold.server.security.Gatekeeper;
import dev.leasehold.server.security.HostRules;
import dev.leasehold.server.security.Permission;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.testkit.time.ManualScheduler;
import dev.leasehold.testkit.time.ManualTicker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A request whose authentication takes 4 s has only the rest of its time to wait for a store that
 * never answers. The test controls time, and checks how long the request waits.
 */
@Timeout(120)
class WaitLimitTest {
  private static final Duration LOOKING = Duration.ofSeconds(4);
  private static final Duration REST = AnswerTimes.REQUEST.minus(LOOKING);

  private final ManualTicker ticker = new ManualTicker();
  private final ApiKey.Made key =
      ApiKey.make("tester", Set.of(Permission.READ, Permission.HOLD), List.of(""));
  private final List<Duration> waited = Collections.synchronizedList(new ArrayList<>());
  private final List<LedgerEntry> written = Collections.synchronizedList(new ArrayList<>());
  private final Silent store = new Silent();
  private final ManualScheduler still = new ManualScheduler(ticker);

  /** These commands never time out by themselves. */
  private final SharedCommands commands =
      SharedCommands.to(
          store::apply,
          ticker,
          (task, nanos) -> still.schedule(task, Duration.ofNanos(nanos))::cancel);

  private final WaitingRequests waitingRequests = new WaitingRequests(commands, 100);
  private final Server server = new Server(0);

  /** Takes 4 s from when a caller begins to wait for it. */
  private final class Slow<T> extends CompletableFuture<T> {
    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
      return new Slow<>();
    }

    @Override
    public T get(long time, TimeUnit unit)
        throws InterruptedException, ExecutionException, TimeoutException {
      ticker.advance(LOOKING);
      return super.get(time, unit);
    }
  }

  /** Never completes: a caller that waits for it is told at once that time is up. */
  private final class Never<T> extends CompletableFuture<T> {
    @Override
    public T get(long time, TimeUnit unit) throws TimeoutException {
      waited.add(Duration.of(time, unit.toChronoUnit()));
      throw new TimeoutException();
    }
  }

  private final class Silent extends ForwardingStore {
    Silent() {
      super(new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE));
    }

    @Override
    public CompletionStage<Optional<LeaseReading>> read(LeaseKey lease) {
      return new Never<>();
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return new Never<>();
    }

    @Override
    public Ledger ledger() {
      return new Ledger() {
        @Override
        public CompletionStage<Void> write(List<LedgerEntry> entries) {
          written.addAll(entries);
          return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<LedgerReading> read() {
          throw new AssertionError("no test reads the ledger here");
        }
      };
    }
  }

  /** Has always seen a later token. */
  private static Fence refusing(String target) {
    RefusalTrail trail = new RefusalTrail(InstantSource.system(), 1);
    MemoryFence fence = new MemoryFence(target, trail);
    fence.seal(new Claim(new LeaseKey("lock/a"), Token.of(2, 1), "later"));
    return fence;
  }

  private final class SlowKeys implements ApiKeys {
    @Override
    public CompletionStage<Optional<ApiKey>> find(String id) {
      Slow<Optional<ApiKey>> found = new Slow<>();
      found.complete(Optional.of(key.key()));
      return found;
    }

    @Override
    public CompletionStage<Void> add(ApiKey added) {
      throw new AssertionError("no test adds keys here");
    }

    @Override
    public CompletionStage<List<ApiKey>> list() {
      throw new AssertionError("no test lists keys here");
    }

    @Override
    public CompletionStage<Boolean> revoke(String id) {
      throw new AssertionError("no test revokes keys here");
    }
  }

  @BeforeEach
  void start() throws Exception {
    List<Route> routes =
        new ArrayList<>(new LeaseCommands(commands, waitingRequests, RowUnlocking.none()).routes());
    routes.addAll(new LeaseQueries(store).routes());
    routes.addAll(new FenceEndpoints(WaitLimitTest::refusing, store.ledger()).routes());
    Gatekeeper gatekeeper = new Gatekeeper(new SlowKeys(), true, ticker);
    server.setHandler(
        new RequestDispatcher(
            new RequestDispatcher.AccessRules(gatekeeper, HostRules.loopback(), ticker),
            routes,
            RequestsFixture.REPORTS));
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    server.stop();
    waitingRequests.close();
    commands.close();
    store.close();
  }

  private HttpResponse<String> send(String path, HttpRequest.Builder request) throws Exception {
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    request
        .uri(URI.create("http://localhost:" + port + path))
        .header("Authorization", "Bearer " + key.text())
        .header("Content-Type", "application/json");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static void saysThatTheStoreIsAway(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(503);
    assertThat(answer.headers().firstValue("Retry-After")).contains("1");
    assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
  }

  @Test
  void aQuestionHasWhatTheLookForTheKeyHasLeft() throws Exception {
    saysThatTheStoreIsAway(send("/v1/leases/lock/a", HttpRequest.newBuilder().GET()));
    assertThat(waited).containsExactly(REST);
  }

  @Test
  void aCommandToo() throws Exception {
    acquires(0);
  }

  @Test
  void andOneThatWaits() throws Exception {
    acquires(1);
  }

  private void acquires(int waitMillis) throws Exception {
    String body =
        "{\"key\":\"lock/a\",\"holder\":\"h\",\"ttlMs\":30000,\"instance\":\""
            + "ab".repeat(16)
            + "\",\"waitMs\":"
            + waitMillis
            + "}";
    HttpResponse<String> answer =
        send("/v1/leases/acquire", HttpRequest.newBuilder().POST(BodyPublishers.ofString(body)));
    saysThatTheStoreIsAway(answer);
    assertThat(answer.body()).contains("\"certainty\":\"UNKNOWN\"");
  }

  /** The decision is returned even if it cannot be written down in time. */
  @Test
  void aRefusalIsToldAlsoWhereTheLedgerDoesNotRecordItInTime() throws Exception {
    HttpResponse<String> answer =
        send(
            "/v1/fences/table/admit",
            HttpRequest.newBuilder()
                .POST(BodyPublishers.ofString("{\"key\":\"lock/a\",\"token\":1099511627777}")));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(409);
    assertThat(answer.body()).contains("\"stale\"");
    assertThat(written).hasSize(1);
  }

  @Test
  void whatWasWaitedForCountsHoweverItEnded() throws Exception {
    WaitLimit waitLimit = new WaitLimit(ticker);
    Slow<String> slow = new Slow<>();
    slow.complete("here");
    assertThat(waitLimit.await(slow)).isEqualTo("here");
    assertThat(waitLimit.left()).isEqualTo(REST);
    assertThat(waitLimit.await(new Never<>(), "silence")).isEqualTo("silence");
    assertThat(waitLimit.await(slow, Duration.ofSeconds(1), "silence")).isEqualTo("here");
    assertThat(waitLimit.left()).isZero();
    assertThat(waited).containsExactly(REST);
  }
}
