package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.time.ManualClock;
import java.util.function.Function;

/** Two handles on the same rows, as two processes have them on a database. */
record Handles(LeaseStore store, LeaseStore another, ManualClock clock) implements StoreUnderTest {
  static Handles of(long startMillis, Function<RuledStore.Rows, LeaseStore> handle) {
    ManualClock clock = new ManualClock(startMillis);
    RuledStore.Rows rows = new RuledStore.Rows(clock);
    return new Handles(handle.apply(rows), handle.apply(rows), clock);
  }

  @Override
  public void setClock(long epochMillis) {
    clock.set(epochMillis);
  }

  @Override
  public void close() {
    store.close();
    another.close();
  }
}
