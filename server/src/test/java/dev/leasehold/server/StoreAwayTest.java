package dev.leasehold.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.server.ops.Roles;
import dev.leasehold.testkit.model.ForwardingStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** I12: while the store is unreachable, callers soon get a clear error without internal details. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(120)
class StoreAwayTest {
  private final Switchable store = new Switchable();
  private final LeaseholdServer server =
      LeaseholdServer.on(store)
          .roles(() -> List.of(new Roles.Role("housekeeping", Token.of(1, 7))))
          .start();
  private final Caller me = new Caller(server.address());

  /** A store that a test can make fail or stay silent. */
  private static final class Switchable extends ForwardingStore {
    volatile boolean failing;
    volatile boolean silent;

    Switchable() {
      super(new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE));
    }

    private <T> CompletionStage<T> or(CompletionStage<T> answer) {
      if (silent) {
        return new CompletableFuture<>();
      }
      return failing
          ? CompletableFuture.failedFuture(new IllegalStateException("db.internal:5432 refused"))
          : answer;
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return or(super.apply(batch));
    }

    @Override
    public CompletionStage<LeasePage> list(ListQuery query) {
      return or(super.list(query));
    }
  }

  @AfterEach
  void stop() {
    server.close();
    store.close();
  }

  @Test
  void everyCallSaysSoAndTellsNothingOfTheInsides() {
    store.failing = true;
    for (Caller.Reply reply :
        List.of(
            me.acquire("lock/a"),
            me.get("/v1/leases"),
            me.get("/readyz"),
            me.post("/v1/leases/renew", "{$,~leases~:[{~key~:~lock/a~,~token~:1}]}"))) {
      assertThat(reply.status()).isEqualTo(503);
      assertThat(reply.type()).isEqualTo("application/problem+json");
      assertThat(reply.whole().headers().firstValue("Retry-After")).contains("1");
      assertThat(reply.text()).doesNotContain("db.internal");
    }
    // A caller without a request id has nothing to repeat the request under.
    assertThat(me.acquire("lock/a").json().text("detail")).contains("under the same request id");
    assertThat(me.get("/v1/leases").json().text("detail")).endsWith("ask again in a moment");
    assertThat(me.get("/healthz").status()).isEqualTo(200);
    assertThat(me.get("/metrics").status()).isEqualTo(200);
    store.failing = false;
    assertThat(me.acquire("lock/a").outcome()).isEqualTo("granted");
  }

  @Test
  void aStoreThatSaysNothingIsGivenUpInTime() {
    store.silent = true;
    long began = Ticker.system().nanos();
    assertThat(me.acquire("lock/a").status()).isEqualTo(503);
    // A promised upper bound; the test does not depend on how long it takes.
    assertThat(Duration.ofNanos(Ticker.system().nanos() - began))
        .isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void readinessNamesRolesAndTerms() {
    assertThat(me.get("/readyz").text())
        .isEqualTo(
            "{\"status\":\"ready\",\"roles\":[{\"name\":\"housekeeping\",\"term\":"
                + Token.of(1, 7)
                + "}]}");
  }
}
