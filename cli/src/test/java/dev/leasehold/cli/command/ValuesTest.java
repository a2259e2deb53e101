package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Durations as people write them. */
class ValuesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "1, 1ms",
    "30000, 30s",
    "60000, 1m",
    "90000, 90s",
    "180000, 3m",
    "179001, 3m",
    "181000, 181s",
    "301000, 6m",
    "3600000, 1h",
    "3660000, 61m",
    "7200000, 2h",
    "7201000, 3h"
  })
  void whatIsWholeIsWrittenWhole(long millis, String text) {
    assertThat(Values.text(millis)).isEqualTo(text);
  }
}
