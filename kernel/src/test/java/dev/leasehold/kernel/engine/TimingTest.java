package dev.leasehold.kernel.engine;

import static java.time.temporal.ChronoUnit.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which settings are refused before anything is sent, and what follows from a ttl. */
class TimingTest {
  private static final Limits LIMITS = Limits.SINGLE_NODE;

  private static Timing of(long ttlMillis, long graceMillis) {
    return Timing.of(Duration.ofMillis(ttlMillis), Duration.ofMillis(graceMillis), LIMITS);
  }

  @Test
  void theMarginIsATenthOfTheTtlOrTheSkewOfTheStore() {
    assertThat(of(30_000, 0).marginNanos()).isEqualTo(3_000_000_000L);
    assertThat(of(300, 0).marginNanos()).isEqualTo(50_000_000);
  }

  @Test
  void trustIsCountedFromTheSendingAndEndsAMarginEarly() {
    long sent = Long.MAX_VALUE - 5;
    assertThat(of(30_000, 0).trustUntil(sent, 20_000) - sent).isEqualTo(17_000_000_000L);
  }

  /** Clocks drift apart for as long as the grant lasts, which may be far longer than the ttl. */
  @Test
  void aGrantThatLastsLongerThanTheTtlHasALongerMargin() {
    assertThat(of(30_000, 0).trustUntil(0, 86_400_000)).isEqualTo(86_400_000_000_000L * 9 / 10);
    assertThat(of(30_000, 0).trustUntil(0, 30_000)).isEqualTo(27_000_000_000L);
  }

  @Test
  void aTtlMustHaveRoomForARenewalTheGraceAndTheMargin() {
    assertThat(of(30_000, 16_999).graceNanos()).isEqualTo(16_999_000_000L);
    assertThatThrownBy(() -> of(30_000, 17_000))
        .isInstanceOf(IllFormedException.class)
        .hasMessage(
            "ttl of 30000 ms is too short: renewal interval (10000 ms), stop grace (17000 ms)"
                + " and margin (3000 ms) must fit into it");
  }

  @Test
  void aRenewalIntervalThatTheCallerChoseIsKeptIfItLeavesRoom() {
    Duration ttl = Duration.ofSeconds(30);
    assertThat(every(ttl, Duration.ofSeconds(2)).renewEveryNanos()).isEqualTo(2_000_000_000L);
    assertThat(of(30_000, 0).renewEveryNanos()).as("else a third").isEqualTo(10_000_000_000L);
    assertThatThrownBy(() -> every(ttl, Duration.ofSeconds(27)))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("renewal interval (27000 ms)");
    for (Duration wrong : List.of(Duration.ZERO, ttl, FOREVER.getDuration())) {
      assertThatThrownBy(() -> every(ttl, wrong))
          .isInstanceOf(IllFormedException.class)
          .hasMessageContaining("a renewal interval of");
    }
  }

  private static Timing every(Duration ttl, Duration renewEvery) {
    return Timing.of(ttl, renewEvery, Duration.ZERO, LIMITS);
  }

  @Test
  void aTtlMustSuitTheStore() {
    assertThatThrownBy(() -> of(199, 0))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("at least 200 ms");
    for (Duration endless : List.of(Duration.ofDays(365_000), FOREVER.getDuration())) {
      assertThatThrownBy(() -> Timing.of(endless, Duration.ZERO, LIMITS))
          .isInstanceOf(IllFormedException.class)
          .hasMessageContaining("too long");
    }
  }

  @Test
  void aGraceIsNotNegative() {
    assertThatThrownBy(() -> of(30_000, -1))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("a stop grace of -1 ms: it cannot be negative");
    assertThatThrownBy(() -> Timing.of(Duration.ofDays(1), FOREVER.getDuration(), LIMITS))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("is longer than the ttl");
  }

  @Test
  void patienceAndBackoffSuitTheTtl() {
    Timing usual = of(30_000, 0);
    assertThat(usual.timeoutNanos()).isEqualTo(5_000_000_000L);
    assertThat(usual.backoffNanos(0)).isEqualTo(1_000_000_000L);
    assertThat(usual.backoffNanos(1)).isEqualTo(2_000_000_000L);
    assertThat(usual.backoffNanos(1_000_000)).isEqualTo(5_000_000_000L);
    Timing hasty = of(600, 0);
    assertThat(hasty.timeoutNanos()).isEqualTo(100_000_000);
    assertThat(hasty.backoffNanos(0)).isEqualTo(60_000_000);
    assertThat(hasty.backoffNanos(9)).isEqualTo(100_000_000);
    assertThat(of(86_400_000, 0).backoffNanos(9)).isEqualTo(10_000_000_000L);
  }
}
