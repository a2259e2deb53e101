package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecordingStoreTest {
  private static final Instance ALICE = Instance.of("a".repeat(32));

  private final AtomicLong ticks = new AtomicLong();
  private final EventLog events = new EventLog();
  private final LeaseStore memory =
      new MemoryLeaseStore(() -> Instant.parse("2026-01-01T00:00:00Z"), Limits.SINGLE_NODE);
  private final LeaseStore store =
      new RecordingStore(memory, new HistoryRecorder("p", ticks::incrementAndGet, events));

  private static Command acquire(Duration ttl) {
    return Command.Acquire.of(
        HistoryScript.KEY, ALICE, new RequestId("r" + ttl.toMillis()), Terms.of("alice", ttl));
  }

  private List<Call> calls() {
    return List.copyOf(History.of(events.events()).keys().iterator().next().calls());
  }

  @Test
  void eachCommandOfABatchIsACallOfItsOwn() {
    store.apply(
        List.of(
            acquire(Duration.ofSeconds(30)),
            acquire(Duration.ofMillis(1)),
            new Command.Purge(HistoryScript.KEY, 0)));
    assertThat(calls()).hasSize(2);
    assertThat(calls().getFirst().issued()).isPresent();
    assertThat(calls().getLast().isFailed()).isTrue();
    assertThat(calls()).allMatch(call -> call.calledNanos() < call.returnedNanos());
  }

  @Test
  void aStoreThatCannotBeReachedLeavesItsCallsUnknown() {
    memory.close();
    store.apply(List.of(acquire(Duration.ofSeconds(30))));
    assertThat(calls()).singleElement().matches(Call::isUnknown);
  }

  @Test
  void anAdvanceIsNotedAsAFault() {
    store.advance(Advance.above(4_000));
    assertThat(events.events()).containsExactly(new Fault.IncarnationAdvanced(1, 4_001));
  }
}
