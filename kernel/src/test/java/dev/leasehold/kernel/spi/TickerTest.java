package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TickerTest {
  @Test
  void theSystemTickerIsTheProcessesMonotonicClock() {
    long first = Ticker.system().nanos();
    long second = Ticker.system().nanos();

    assertThat(second - first).isNotNegative();
    assertThat(first).isNotZero();
  }
}
