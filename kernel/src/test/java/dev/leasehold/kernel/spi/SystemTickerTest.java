package dev.leasehold.kernel.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * I6 on a machine that sleeps or is suspended: the ticker counts time that the monotonic clock
 * misses.
 */
@Timeout(120)
class SystemTickerTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private long nanos = Long.MAX_VALUE - HOUR.toNanos();
  private long wallMillis = 1_770_000_000_000L;
  private OptionalLong bootNanos = OptionalLong.of(Duration.ofDays(3).toNanos());

  private final List<SystemTicker.Jump> jumps = new ArrayList<>();
  private final SystemTicker ticker = ticker(() -> bootNanos);
  private final long start = ticker.nanos();

  private SystemTicker ticker(Supplier<OptionalLong> boot) {
    return new SystemTicker(
        new SystemTicker.Clocks(() -> nanos, () -> wallMillis, boot), jumps::add);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
    sleep(time);
  }

  private void sleep(Duration time) {
    wallMillis += time.toMillis();
    if (bootNanos.isPresent()) {
      bootNanos = OptionalLong.of(bootNanos.getAsLong() + time.toNanos());
    }
  }

  private void setWallClock(Duration by) {
    wallMillis += by.toMillis();
  }

  private Duration elapsed() {
    return Duration.ofNanos(ticker.nanos() - start);
  }

  @Test
  void itCountsWhatPasses() {
    pass(HOUR.multipliedBy(2));

    assertThat(elapsed()).isEqualTo(HOUR.multipliedBy(2));
  }

  @Test
  void itCountsWhatTheMachineSlept() {
    pass(Duration.ofSeconds(5));
    sleep(HOUR);
    assertThat(elapsed()).isEqualTo(HOUR.plusSeconds(5));

    pass(Duration.ofSeconds(5));
    sleep(Duration.ofMinutes(1));
    assertThat(elapsed()).isEqualTo(HOUR.plusSeconds(70));
  }

  @Test
  void manyShortSleepsAddUp() {
    for (int i = 0; i < 100; i++) {
      sleep(Duration.ofMillis(50));
      ticker.nanos();
    }

    assertThat(elapsed()).isBetween(Duration.ofMillis(4_900), Duration.ofSeconds(5));
  }

  /** The monotonic clock and the time since boot stop together in a suspended virtual machine. */
  @Test
  void aWallClockThatRunsAheadCountsThoughTheTimeSinceBootDoesNotShowIt() {
    setWallClock(HOUR);
    assertThat(elapsed()).isEqualTo(HOUR);
    assertThat(jumps).containsExactly(new SystemTicker.Jump(HOUR.toNanos(), 0));

    pass(HOUR);
    assertThat(elapsed()).as("once").isEqualTo(HOUR.multipliedBy(2));
    sleep(HOUR);
    assertThat(elapsed()).as("and sleep is still seen").isEqualTo(HOUR.multipliedBy(3));
  }

  @Test
  void aSleepAndAWallClockThatIsCorrectedAfterItCountOnceEach() {
    sleep(Duration.ofMinutes(1));
    setWallClock(HOUR);

    assertThat(elapsed()).isEqualTo(HOUR.plusMinutes(1));
    assertThat(jumps)
        .containsExactly(
            new SystemTicker.Jump(HOUR.plusMinutes(1).toNanos(), Duration.ofMinutes(1).toNanos()));
  }

  @Test
  void aWallClockThatIsSetBackMeansNothing() {
    setWallClock(HOUR.multipliedBy(-3));
    assertThat(elapsed()).isZero();
    assertThat(jumps).isEmpty();

    pass(HOUR);
    assertThat(elapsed()).isEqualTo(HOUR);
    sleep(HOUR);
    assertThat(elapsed()).as("and sleep is still seen").isEqualTo(HOUR.multipliedBy(2));
  }

  @Test
  void aWallClockThatIsALittleAheadMeansNothing() {
    setWallClock(Duration.ofNanos(SystemTicker.TOLERANCE_NANOS));

    assertThat(elapsed()).isZero();
    assertThat(jumps).isEmpty();
  }

  @Test
  void aJumpIsToldWithItsSize() {
    setWallClock(HOUR);
    long unused = ticker.nanos();
    unused = ticker.nanos();

    assertThat(jumps).hasSize(1);
    assertThat(jumps.getFirst().sentence()).contains("forward by PT1H").contains("PT0S of it");
  }

  @Test
  void aWallClockSetBackAfterASleepHidesNothing() {
    sleep(HOUR);
    setWallClock(HOUR.multipliedBy(-2));

    assertThat(elapsed()).isEqualTo(HOUR);
  }

  @Test
  void withoutTheTimeSinceBootAWallClockAheadCountsAsSleep() {
    bootNanos = OptionalLong.empty();
    sleep(HOUR);
    assertThat(elapsed()).isEqualTo(HOUR);
    setWallClock(HOUR);
    assertThat(elapsed()).as("too early rather than too late").isEqualTo(HOUR.multipliedBy(2));
    setWallClock(HOUR.negated());
    assertThat(elapsed()).as("never back").isEqualTo(HOUR.multipliedBy(2));
  }

  @Test
  void timeSpentWhileItLooksIsNotTakenForSleep() {
    SystemTicker interrupted =
        ticker(
            () -> {
              OptionalLong read = bootNanos;
              pass(Duration.ofSeconds(3));
              return read;
            });
    long before = interrupted.nanos() - nanos;
    sleep(HOUR);
    long after = interrupted.nanos() - nanos;

    assertThat(Duration.ofNanos(after - before)).isEqualTo(HOUR);
  }

  @Test
  void sleepWhileItLooksIsSeenByTheNextReading() {
    long[] sleepsMinutes = {0, 60, 0};
    int[] looks = new int[1];
    SystemTicker interrupted =
        ticker(
            () -> {
              OptionalLong read = bootNanos;
              sleep(Duration.ofMinutes(sleepsMinutes[Math.min(looks[0]++, 2)]));
              return read;
            });
    long before = interrupted.nanos();
    setWallClock(HOUR.negated());
    interrupted.nanos();

    assertThat(Duration.ofNanos(interrupted.nanos() - before)).isEqualTo(HOUR);
  }

  @Test
  void theTimeSinceBootIsReadFromWhereLinuxHasIt(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("uptime");
    Files.writeString(file, "1234.56 2000.00\n");
    assertThat(SystemTicker.uptimeNanos(file)).hasValue(1_234_560_000_000L);
    Files.writeString(file, "nonsense");
    assertThat(SystemTicker.uptimeNanos(file)).isEmpty();
    assertThat(SystemTicker.uptimeNanos(folder.resolve("none"))).isEmpty();
  }

  @Test
  void theRealOneMovesForward() {
    long before = Ticker.system().nanos();
    for (int i = 0; i < 10_000; i++) {
      long now = Ticker.system().nanos();
      assertThat(now - before).isNotNegative();
      before = now;
    }
  }
}
