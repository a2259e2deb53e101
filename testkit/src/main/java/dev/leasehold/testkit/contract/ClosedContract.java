package dev.leasehold.testkit.contract;

import static dev.leasehold.testkit.contract.ContractCallers.ANN;
import static dev.leasehold.testkit.contract.ContractCallers.KEY;
import static dev.leasehold.testkit.contract.ContractCallers.acquire;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.suite.Await;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A closed store says so in the stage, and is not taken for one that has nothing on record. */
abstract class ClosedContract extends LeaseGroup {
  @BeforeEach
  void grantAndClose() {
    fixture.granted(acquire(ANN, "r1"));
    fixture.store().close();
  }

  private void assertFails(Function<LeaseStore, CompletionStage<?>> call) {
    CompletionStage<?> stage = call.apply(fixture.store());
    try {
      Object answer = stage.toCompletableFuture().get(Await.TIMEOUT_SECONDS, TimeUnit.SECONDS);
      throw new AssertionError("a closed store answered " + answer);
    } catch (ExecutionException e) {
      assertThat(e.getCause()).as("why it failed").isInstanceOf(Exception.class);
    } catch (TimeoutException e) {
      throw new AssertionError("a closed store did not answer at all", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while a closed store was asked", e);
    }
  }

  @Test
  void commands_fail() {
    assertFails(store -> store.apply(List.of(acquire(ANN, "r2"))));
    assertFails(store -> store.apply(List.of(acquire(ANN, "r1"))));
  }

  @Test
  void reading_fails() {
    assertFails(store -> store.read(KEY));
    assertFails(store -> store.list(new ListQuery("", Optional.empty(), 10)));
    assertFails(LeaseStore::suspectedRollbacks);
    assertFails(store -> store.ledger().read());
  }

  @Test
  void housekeeping_fails() {
    assertFails(store -> store.purge(new PurgeQuery(0, 10)));
    assertFails(store -> store.advance(Advance.above(1)));
    LedgerEntry charter =
        new LedgerEntry.Chartered(LeaseCharter.of("lock", Payload.EXCLUSION, "x"), "ann");
    assertFails(store -> store.ledger().write(List.of(charter)));
  }

  @Test
  void closing_again_is_no_failure() {
    fixture.store().close();
  }
}
