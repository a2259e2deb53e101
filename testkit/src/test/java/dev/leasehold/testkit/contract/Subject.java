package dev.leasehold.testkit.contract;

import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A store in this process on a clock that is set by hand. */
record Subject(LeaseStore store, AtomicLong clock) implements StoreUnderTest {
  static Subject of(long startMillis, Function<InstantSource, LeaseStore> factory) {
    AtomicLong clock = new AtomicLong(startMillis);
    return new Subject(factory.apply(() -> Instant.ofEpochMilli(clock.get())), clock);
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
