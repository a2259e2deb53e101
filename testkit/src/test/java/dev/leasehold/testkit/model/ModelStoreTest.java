package dev.leasehold.testkit.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ModelStoreTest {
  private static final long START = 1_900_000_000_000L;
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final Instance ANN = Instance.of("0".repeat(32));

  private final ModelStore store = new ModelStore(Rules.sound(), Limits.SINGLE_NODE, START);

  private Token acquire(String request, long nowMillis) {
    Terms terms = Terms.of("ann", Duration.ofSeconds(10));
    Outcome outcome =
        store.apply(Command.Acquire.of(KEY, ANN, new RequestId(request), terms), nowMillis);
    assertThat(outcome).isInstanceOf(Outcome.Granted.class);
    return ((Outcome.Granted) outcome).grant().token();
  }

  private Outcome release(Token token, String request, long nowMillis) {
    return store.apply(new Command.Release(KEY, token, ANN, new RequestId(request)), nowMillis);
  }

  @Test
  void the_log_has_what_was_decided_and_what_was_on_record_then() {
    Token token = acquire("r1", START);
    release(token, "e1", START + 5);
    List<StoreLog.Entry> entries = store.log().entries();
    assertThat(entries).hasSize(2);
    StoreLog.Decided released = (StoreLog.Decided) entries.get(1);
    assertThat(released.sequence()).isEqualTo(1);
    assertThat(released.atMillis()).isEqualTo(START + 5);
    assertThat(released.kind()).isEqualTo(Command.Release.class);
    assertThat(released.outcome()).isEqualTo(new Outcome.Released());
    assertThat(released.recordAfter())
        .isEqualTo(store.read(KEY, START + 5).map(LeaseReading::record));
    assertThat(released.changes())
        .containsExactly(new LeaseChange(LeaseChange.Kind.RELEASED, KEY, token));
  }

  @Test
  void a_restored_snapshot_forgets_what_came_after_it_and_the_log_does_not() {
    Token first = acquire("r1", START);
    ModelStore.Snapshot backup = store.snapshot();
    release(first, "e1", START + 1);
    Token second = acquire("r2", START + 2);
    store.restore(backup, START + 3);
    assertThat(store.read(KEY, START + 3))
        .map(reading -> reading.record().grant().orElseThrow().token())
        .contains(first);
    assertThat(release(first, "e2", START + 4)).isEqualTo(new Outcome.Released());
    assertThat(acquire("r3", START + 5)).as("I2 is lost with the rollback").isEqualTo(second);
    assertThat(store.log().entries()).hasSize(6);
    assertThat(store.log().entries().get(3)).isInstanceOf(StoreLog.Restored.class);
  }

  @Test
  void a_snapshot_can_be_restored_twice() {
    Token first = acquire("r1", START);
    ModelStore.Snapshot backup = store.snapshot();
    for (int i = 0; i < 2; i++) {
      store.restore(backup, START + 1);
      assertThat(release(first, "e1", START + 1)).isEqualTo(new Outcome.Released());
    }
  }

  @Test
  void an_advance_after_a_restore_outranks_everything_before_it() {
    Token first = acquire("r1", START);
    ModelStore.Snapshot backup = store.snapshot();
    release(first, "e1", START);
    Token lost = acquire("r2", START);
    store.restore(backup, START);
    store.advance(Advance.above(lost.incarnation()), START);
    assertThat(acquire("r3", START + Limits.MIN_HOLD_OFF_MILLIS)).isGreaterThan(lost);
    assertThat(store.log().entries()).anyMatch(StoreLog.Advanced.class::isInstance);
  }

  @Test
  void the_true_end_of_every_grant_is_known_however_many_followed() {
    Token first = acquire("r0", START);
    release(first, "e0", START);
    for (int i = 1; i < 3 * Limits.SINGLE_NODE.endingsKept(); i++) {
      release(acquire("r" + i, START), "e" + i, START);
    }
    assertThat(store.trueEndOf(KEY, first)).contains(new LossReason.Released());
    assertThat(store.apply(Command.Renew.of(KEY, first, ANN), START))
        .isInstanceOfSatisfying(
            Outcome.Lost.class,
            lost -> assertThat(lost.reason()).isInstanceOf(LossReason.Superseded.class));
    assertThat(store.trueEndOf(new LeaseKey("lock/none"), first)).isEqualTo(Optional.empty());
  }
}
