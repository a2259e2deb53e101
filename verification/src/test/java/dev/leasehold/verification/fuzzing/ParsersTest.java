package dev.leasehold.verification.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No input breaks a parser. Seeds are files in the folder of their parser; each finding of Jazzer
 * is fixed and becomes another seed.
 */
class ParsersTest {
  private static final Path SEEDS = Path.of("src", "test", "resources", "fuzzing");

  /** Bytes that end a string, begin an escape, are half a character, and zero. */
  private static final byte[] OTHERS = {'"', '\\', (byte) 0xC3, 0};

  @ParameterizedTest
  @EnumSource
  void seedsAreTakenOrRefusedWholeCutOffAndChanged(Parser parser) throws Exception {
    List<Path> seeds = Fuzzer.seedsIn(SEEDS.resolve(parser.name()));
    assertThat(seeds).isNotEmpty();
    for (Path seed : seeds) {
      byte[] whole = Files.readAllBytes(seed);
      tried(parser, seed, whole);
      for (int i = 0; i < whole.length; i++) {
        tried(parser, seed, Arrays.copyOf(whole, i));
        byte[] changed = whole.clone();
        changed[i] = OTHERS[i % OTHERS.length];
        tried(parser, seed, changed);
      }
    }
  }

  private static void tried(Parser parser, Path seed, byte[] input) {
    assertThatCode(() -> parser.takeOrRefuse(input))
        .as(() -> parser + ", from " + seed.getFileName() + ": " + Arrays.toString(input))
        .doesNotThrowAnyException();
  }

  /** Otherwise the seeds would test only refusals. */
  @ParameterizedTest
  @EnumSource
  void oneSeedIsTaken(Parser parser) {
    assertThat(Fuzzer.seedsIn(SEEDS.resolve(parser.name())))
        .filteredOn(seed -> seed.getFileName().toString().startsWith("good"))
        .isNotEmpty()
        .allSatisfy(seed -> parser.take(Files.readAllBytes(seed)));
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void jazzerFindsNothing(Parser parser) throws Exception {
    Fuzzer.Report report =
        Fuzzer.run(FuzzTarget.class, parser.name(), SEEDS.resolve(parser.name()));
    assertThat(report.exitCode()).as(report.text()).isZero();
    assertThat(report.text()).contains("Done ");
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void jazzerFindsAPlantedFault() throws Exception {
    Fuzzer.Report report = Fuzzer.run(FaultyTarget.class, "KEY", SEEDS.resolve("KEY"));
    assertThat(report.exitCode()).as(report.text()).isNotZero();
    assertThat(report.text()).contains("a planted fault");
  }
}
