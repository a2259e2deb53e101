package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final long MEMORY = 600_000;

  @Test
  void oneDatabaseOnOneMachineHasASkewOf50AndRemembersFor10Minutes() {
    assertThat(Limits.SINGLE_NODE).isEqualTo(new Limits(50, MEMORY, 8));
  }

  @Test
  void theShortestTtlIs200MillisecondsOrFourSkewBounds() {
    assertThat(new Limits(0, MEMORY, 1).minTtlMillis()).isEqualTo(200);
    assertThat(new Limits(50, MEMORY, 1).minTtlMillis()).isEqualTo(200);
    assertThat(new Limits(51, MEMORY, 1).minTtlMillis()).isEqualTo(204);
  }

  @Test
  void aSkewBoundLeavesRoomForATtl() {
    assertThat(new Limits(21_600_000, MEMORY, 1).minTtlMillis()).isEqualTo(86_400_000);
    for (long skew : new long[] {-1, 21_600_001, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> new Limits(skew, MEMORY, 1))
          .isInstanceOf(IllFormedException.class)
          .hasMessage(
              "a skew bound of %s ms: it must be from 0 ms to a fourth of the longest ttl, 24 h",
              skew);
    }
  }

  @Test
  void requestsAreRememberedForAtLeast10Minutes() {
    assertThatThrownBy(() -> new Limits(50, MEMORY - 1, 1))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("requests must be remembered for at least 600000 ms, not 599999");
  }

  @Test
  void atLeastOneEndingIsKept() {
    assertThatThrownBy(() -> new Limits(50, MEMORY, 0))
        .isInstanceOf(IllFormedException.class)
        .hasMessage("at least one ended grant is remembered per key");
  }
}
