package dev.leasehold.verification.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.random.Seed;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tlc2.TLC;

/** Runs TLC on every configuration of the model, each in a JVM of its own. */
@Execution(ExecutionMode.CONCURRENT) // most of a short check is the start of its JVM
class TlaModelTest {
  private static final System.Logger LOGGER = System.getLogger(TlaModelTest.class.getName());
  private static final Path SPEC_FOLDER = Path.of("..", "spec").toAbsolutePath().normalize();
  private static final String HOLDS = "Model checking completed. No error has been found.";
  private static final Pattern STATES =
      Pattern.compile("(\\d+) states generated, (\\d+) distinct states found");
  private static final int CONFIGURATIONS_OF_A_BUILD = 4;
  private static final long QUICK_LIMIT_MINUTES = 15;
  private static final long PROOF_LIMIT_MINUTES = 60;

  /** A configuration and the invariant it must break. */
  record Violation(String configuration, String invariant) {}

  static final List<Violation> DESIGNS_WITHOUT_A_SAFEGUARD =
      List.of(
          new Violation("ContenderClock", "I1_OneUnexpiredGrant"),
          new Violation("NoFence", "I4_NoStaleChange"),
          new Violation("NoHoldOff", "I6_OneBeliever"),
          new Violation("NoIncarnation", "I2_TokensIncrease"),
          new Violation("NoIncarnationRevived", "I3_EndedStaysEnded"),
          new Violation("NoMargin", "I6_TrustWithinGrant"),
          new Violation("NoSeal", "I4_SealedReadStands"),
          new Violation("NoWitness", "I2_TokensIncrease"),
          new Violation("RefusalForgotten", "I2_TokensIncrease"),
          new Violation("RevokedStaysCurrent", "I3_EndedStaysEnded"),
          new Violation("TrustFromAnswer", "I6_TrustWithinGrant"),
          new Violation("UnlockedCheck", "I5_CurrentAtCommit"));

  static final List<Violation> SITUATIONS_THAT_MUST_OCCUR =
      List.of(
          new Violation("ReachGrantAfterRestore", "NeverGrantedAfterRestore"),
          new Violation("ReachHandOver", "NeverHandedOver"),
          new Violation("ReachHeldBack", "NeverHeldBack"),
          new Violation("ReachRevokedWhileTrusted", "NeverRevokedWhileTrusted"),
          new Violation("ReachSealedSuccessorWrites", "NeverWrittenAfterSeal"),
          new Violation("ReachStaleWriteRefused", "NeverRefused"),
          new Violation("ReachTakeover", "NeverTakenOver"),
          new Violation("ReachTwoBelievers", "NeverTwoBelievers"));

  /** How a JVM is to go about it. */
  private enum Search {
    /** Through all states: minutes, which earn the optimising compiler. */
    OF_ALL("-XX:+UseParallelGC", "-XX:+TieredCompilation", 2),
    /**
     * Until a violation is found: seconds, mostly of starting up, and the same states each time.
     */
    FOR_A_VIOLATION("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", 1);

    final String collector;
    final String compiler;
    final int workers;

    Search(String collector, String compiler, int workers) {
      this.collector = collector;
      this.compiler = compiler;
      this.workers = workers;
    }
  }

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"Leasehold", "LeaseholdTwoRestores"})
  void theProtocolKeepsItsInvariants(String configuration) throws Exception {
    assertThat(check(configuration, Search.OF_ALL, QUICK_LIMIT_MINUTES)).contains(HOLDS);
  }

  @Test
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void theProtocolKeepsItsInvariantsWithMoreHoldersAndTokens() throws Exception {
    assertThat(check("LeaseholdProof", Search.OF_ALL, PROOF_LIMIT_MINUTES)).contains(HOLDS);
  }

  /** The model changes seldom, and no code changes it: a build draws some, the proof tries all. */
  private static List<Violation> drawn(List<Violation> all) {
    return Boolean.getBoolean("leasehold.proof")
        ? all
        : Seed.forTest("TlaModelTest").some(CONFIGURATIONS_OF_A_BUILD, all);
  }

  static List<Violation> designsWithoutASafeguard() {
    return drawn(DESIGNS_WITHOUT_A_SAFEGUARD);
  }

  static List<Violation> situationsThatMustOccur() {
    return drawn(SITUATIONS_THAT_MUST_OCCUR);
  }

  @ParameterizedTest
  @MethodSource("designsWithoutASafeguard")
  void aDesignWithoutTheSafeguardBreaksItsInvariant(Violation expected) throws Exception {
    assertThatTlcReports(expected);
  }

  @ParameterizedTest
  @MethodSource("situationsThatMustOccur")
  void theSituationOccursInTheModel(Violation expected) throws Exception {
    assertThatTlcReports(expected);
  }

  @Test
  void everyConfigurationInTheSpecFolderIsChecked() throws IOException {
    Stream<String> checked =
        Stream.concat(
            Stream.of("Leasehold", "LeaseholdTwoRestores", "LeaseholdProof"),
            Stream.concat(DESIGNS_WITHOUT_A_SAFEGUARD.stream(), SITUATIONS_THAT_MUST_OCCUR.stream())
                .map(Violation::configuration));
    try (Stream<Path> files = Files.list(SPEC_FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".cfg"))
          .containsExactlyInAnyOrderElementsOf(checked.map(name -> name + ".cfg").toList());
    }
  }

  private void assertThatTlcReports(Violation expected) throws Exception {
    assertThat(check(expected.configuration(), Search.FOR_A_VIOLATION, QUICK_LIMIT_MINUTES))
        .contains("Invariant " + expected.invariant() + " is violated")
        .doesNotContain(HOLDS);
  }

  /** What TLC printed. Its state files and unpacked modules stay in the test's own folder. */
  private String check(String configuration, Search search, long limitMinutes) throws Exception {
    Path output = folder.resolve("output.txt");
    long start = Ticker.system().nanos();
    Process tlc =
        new ProcessBuilder(command(configuration, search))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean finished;
    try {
      finished = tlc.waitFor(limitMinutes, TimeUnit.MINUTES);
    } finally {
      tlc.destroyForcibly().waitFor();
    }
    String printed = Files.readString(output);
    assertThat(finished).as("%s ended in time:%n%s", configuration, printed).isTrue();
    long seconds = TimeUnit.NANOSECONDS.toSeconds(Ticker.system().nanos() - start);
    LOGGER.log(Level.INFO, "{0}: {1}, {2} s", configuration, states(printed), seconds);
    return printed;
  }

  private List<String> command(String configuration, Search search) throws URISyntaxException {
    Path jar = Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(search.collector, search.compiler));
    command.addAll(List.of("-Djava.io.tmpdir=" + folder, "-cp", jar.toString(), "tlc2.TLC"));
    command.addAll(List.of("-workers", Integer.toString(search.workers)));
    command.addAll(List.of("-metadir", folder.resolve("states").toString()));
    command.addAll(List.of("-config", SPEC_FOLDER.resolve(configuration + ".cfg").toString()));
    command.add(SPEC_FOLDER.resolve("Leasehold.tla").toString());
    return command;
  }

  private static String states(String printed) {
    return STATES
        .matcher(printed)
        .results()
        .reduce((first, last) -> last)
        .map(found -> found.group(2) + " distinct states of " + found.group(1) + " generated")
        .orElse("no states counted");
  }
}
