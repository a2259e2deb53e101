package dev.leasehold.kernel.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuditFactsTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final MemoryLeaseStore store =
      new MemoryLeaseStore(InstantSource.fixed(NOW), Limits.SINGLE_NODE);

  private void lease(String key) {
    Terms terms = new Terms(HolderInfo.named("ann"), 30_000, StallLimit.NONE);
    store.apply(
        List.of(
            Command.Acquire.of(new LeaseKey(key), Instance.random(), RequestId.random(), terms)));
  }

  @Test
  void kindsBeyondAThousandAreLeftOut() {
    for (int i = 0; i < 1_100; i++) {
      lease("kind-" + i + "/a");
    }
    assertThat(AuditFacts.of(store).toCompletableFuture().join().kindsOnRecord()).hasSize(1_000);
  }

  @Test
  void kindsAreFoundWithAnyNamesOfTheirLeases() {
    lease("a/~");
    lease("a/1");
    lease("a-b/1");
    lease("a.b/1/2");
    lease("a0/1");
    lease("b/" + "~".repeat(LeaseKey.MAX_LENGTH - 2));
    lease("k".repeat(LeaseKey.MAX_LENGTH - 2) + "/x");
    AuditFacts facts = AuditFacts.of(store).toCompletableFuture().join();
    assertThat(facts.kindsOnRecord())
        .containsExactlyInAnyOrder(
            "a", "a-b", "a.b", "a0", "b", "k".repeat(LeaseKey.MAX_LENGTH - 2));
    assertThat(facts.ledger().atMillis()).isEqualTo(NOW.toEpochMilli());
  }
}
