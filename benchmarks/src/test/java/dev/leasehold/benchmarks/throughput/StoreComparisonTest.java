package dev.leasehold.benchmarks.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StoreComparisonTest {
  /** Without the rivals, whose servers are not installed everywhere and are not under test. */
  @Test
  void everyCaseRunsAndSaysWhatCameOfIt() throws Exception {
    Settings settings =
        Settings.full().withoutRivals().withRounds(1).lasting(Duration.ofMillis(50), 0.01);

    Report report = StoreComparison.run(settings);

    assertThat(report.failures()).isEmpty();
    assertThat(report.lines()).filteredOn(line -> line.startsWith("### ")).hasSize(17);
    assertThat(report.lines())
        .filteredOn(line -> line.startsWith("Target: "))
        .hasSizeGreaterThan(6);
  }

  @Test
  void optionsSayHowMuchIsMeasured() {
    Settings settings = Settings.parse("--quick", "--no-rivals", "--cases", "hot,sqlite");

    assertThat(settings.cases()).containsExactlyInAnyOrder(Case.HOT, Case.SQLITE);
    assertThat(settings.rivals()).isFalse();
    assertThat(settings.rounds()).isEqualTo(1);
    assertThat(Settings.parse("--rounds", "5", "--report", "a.md").report())
        .isEqualTo(Path.of("a.md"));
  }

  @Test
  void anOptionThatIsNotKnownIsRefusedWithThoseThatAre() {
    assertThatThrownBy(() -> Settings.parse("--fast"))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("--quick");
    assertThatThrownBy(() -> Settings.parse("--cases"))
        .isInstanceOf(IllFormedException.class)
        .hasMessageContaining("needs a value");
  }

  @Test
  void aQuantileIsAFigureThatSomeOperationReallyTook() {
    Measured measured = Measured.of(new long[] {4_000_000, 1_000_000, 3_000_000, 2_000_000}, 1);

    assertThat(measured.quantileMillis(0.5)).isEqualTo(2.0);
    assertThat(measured.quantileMillis(0.99)).isEqualTo(4.0);
    assertThat(measured.quantileMillis(1)).isEqualTo(4.0);
  }
}
