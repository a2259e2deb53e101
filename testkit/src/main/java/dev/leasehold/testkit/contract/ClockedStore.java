package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.time.ManualClock;
import java.time.InstantSource;
import java.util.function.Function;

/**
 * A store in this process that was given its clock, so that a test can turn it. No other process
 * can have it, so its second handle is the first.
 */
public record ClockedStore(LeaseStore store, ManualClock clock) implements StoreUnderTest {
  public static ClockedStore of(long startMillis, Function<InstantSource, LeaseStore> factory) {
    ManualClock clock = new ManualClock(startMillis);
    return new ClockedStore(factory.apply(clock), clock);
  }

  @Override
  public LeaseStore another() {
    return store;
  }

  @Override
  public void setClock(long epochMillis) {
    clock.set(epochMillis);
  }

  @Override
  public void close() {
    store.close();
  }
}
