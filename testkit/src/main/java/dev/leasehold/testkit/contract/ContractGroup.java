package dev.leasehold.testkit.contract;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** One part of the contract: each test gets a fresh store on a bench. */
abstract class ContractGroup {
  /** A day on which no test of a store's own clock can have been written. */
  static final long START = Instant.parse("2031-05-06T07:08:09.010Z").toEpochMilli();

  static final Duration A_MOMENT = Duration.ofMillis(1);

  // Opened before each test, which JUnit promises and the compiler cannot see.
  @SuppressWarnings("NullAway.Init")
  protected Workbench bench;

  protected abstract StoreUnderTest open(long startMillis);

  @BeforeEach
  void openStore() {
    bench = new Workbench(open(START), START);
  }

  @AfterEach
  void closeStore() {
    bench.close();
  }
}
