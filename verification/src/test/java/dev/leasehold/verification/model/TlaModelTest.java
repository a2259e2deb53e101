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
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import tlc2.TLC;

/** Runs TLC on every configuration of the models, each in a JVM of its own. */
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

  /** A configuration, named like its file, and the module that it configures. */
  record Configuration(String module, String name) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** A configuration and the invariant it must break. */
  record Violation(Configuration configuration, String invariant) {}

  static final List<Configuration> PROTOCOL =
      List.of(lease("Leasehold"), lease("LeaseholdTwoRestores"), rows("RowLeases"));

  static final List<Configuration> PROTOCOL_IN_A_PROOF =
      List.of(lease("LeaseholdProof"), rows("RowLeasesProof"));

  static final List<Violation> DESIGNS_WITHOUT_A_SAFEGUARD =
      List.of(
          new Violation(lease("ContenderClock"), "I1_OneUnexpiredGrant"),
          new Violation(lease("NoFence"), "I4_NoStaleChange"),
          new Violation(lease("NoHoldOff"), "I6_OneBeliever"),
          new Violation(lease("NoIncarnation"), "I2_TokensIncrease"),
          new Violation(lease("NoIncarnationRevived"), "I3_EndedStaysEnded"),
          new Violation(lease("NoMargin"), "I6_TrustWithinGrant"),
          new Violation(lease("NoSeal"), "I4_SealedReadStands"),
          new Violation(lease("NoWitness"), "I2_TokensIncrease"),
          new Violation(lease("RefusalForgotten"), "I2_TokensIncrease"),
          new Violation(lease("RevokedStaysCurrent"), "I3_EndedStaysEnded"),
          new Violation(lease("TrustFromAnswer"), "I6_TrustWithinGrant"),
          new Violation(lease("UnlockedCheck"), "I5_CurrentAtCommit"),
          new Violation(rows("ExpiredIsEnded"), "R3_SessionHadEnded"),
          new Violation(rows("ExpiredIsEndedForgets"), "R4_NoRowForgotten"),
          new Violation(rows("HeartbeatWithoutNotices"), "R3_WorkerWasSilent"),
          new Violation(rows("HeartbeatWithoutTrust"), "R6_SilentWithoutSession"),
          new Violation(rows("MoveAcrossAdvance"), "R4_OldRowIsSwept"),
          new Violation(rows("NoticeBeforeEntry"), "R3_WorkerWasSilent"),
          new Violation(rows("PlainUpdateTake"), "R6_NothingLandsLate"),
          new Violation(rows("ReapWithoutDelay"), "R3_WorkerWasSilent"),
          new Violation(rows("ReapWithoutSession"), "R3_WorkerWasSilent"),
          new Violation(rows("SweepForgetsLocked"), "R4_NoRowForgotten"),
          new Violation(rows("TakeWithoutSessionLock"), "R4_NoRowForgotten"),
          new Violation(rows("TokenWithoutIncarnation"), "R2_TokensIncrease"),
          new Violation(rows("WriteWithoutToken"), "R1_OneHolderAccepted"));

  static final List<Violation> SITUATIONS_THAT_MUST_OCCUR =
      List.of(
          new Violation(lease("ReachGrantAfterRestore"), "NeverGrantedAfterRestore"),
          new Violation(lease("ReachHandOver"), "NeverHandedOver"),
          new Violation(lease("ReachHeldBack"), "NeverHeldBack"),
          new Violation(lease("ReachRevokedWhileTrusted"), "NeverRevokedWhileTrusted"),
          new Violation(lease("ReachSealedSuccessorWrites"), "NeverWrittenAfterSeal"),
          new Violation(lease("ReachStaleWriteRefused"), "NeverRefused"),
          new Violation(lease("ReachTakeover"), "NeverTakenOver"),
          new Violation(lease("ReachTwoBelievers"), "NeverTwoBelievers"),
          new Violation(rows("ReachAnsweredByTwo"), "NeverAnsweredByTwo"),
          new Violation(rows("ReachEndHeldBack"), "NeverEndHeldBack"),
          new Violation(rows("ReachEntryAfterNotice"), "NeverEnteredLate"),
          new Violation(rows("ReachMovedAfterAdoption"), "NeverMovedFromAdopted"),
          new Violation(rows("ReachReaped"), "NeverReaped"),
          new Violation(rows("ReachReapedAfterAdoption"), "NeverReapedFromAdopted"),
          new Violation(rows("ReachSupersededWriteRefused"), "NeverRefused"),
          new Violation(rows("ReachSweepHeldBack"), "NeverSweepHeldBack"),
          new Violation(rows("ReachSwept"), "NeverSwept"),
          new Violation(rows("ReachTakenAfterAdvance"), "NeverTakenAfterAdvance"),
          new Violation(rows("ReachWriteAfterSessionEnd"), "NeverAcceptedAfterEnd"),
          new Violation(rows("ReachWriteRefusedAfterAdvance"), "NeverRefusedAfterAdvance"));

  private static Configuration lease(String name) {
    return new Configuration("Leasehold", name);
  }

  private static Configuration rows(String name) {
    return new Configuration("RowLeases", name);
  }

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
  @FieldSource("PROTOCOL")
  void theProtocolKeepsItsInvariants(Configuration configuration) throws Exception {
    assertThat(check(configuration, Search.OF_ALL, QUICK_LIMIT_MINUTES)).contains(HOLDS);
  }

  @ParameterizedTest
  @FieldSource("PROTOCOL_IN_A_PROOF")
  @EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
  void theProtocolKeepsItsInvariantsWithinWiderBounds(Configuration configuration)
      throws Exception {
    assertThat(check(configuration, Search.OF_ALL, PROOF_LIMIT_MINUTES)).contains(HOLDS);
  }

  /** The models change seldom, and no code changes them: a build draws some, the proof all. */
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
    Stream<Configuration> holding = Stream.concat(PROTOCOL.stream(), PROTOCOL_IN_A_PROOF.stream());
    Stream<Configuration> violated =
        Stream.concat(DESIGNS_WITHOUT_A_SAFEGUARD.stream(), SITUATIONS_THAT_MUST_OCCUR.stream())
            .map(Violation::configuration);
    Stream<String> checked = Stream.concat(holding, violated).map(Configuration::name);
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
  private String check(Configuration configuration, Search search, long limitMinutes)
      throws Exception {
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

  private List<String> command(Configuration configuration, Search search)
      throws URISyntaxException {
    Path jar = Path.of(TLC.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(search.collector, search.compiler));
    command.addAll(List.of("-Djava.io.tmpdir=" + folder, "-cp", jar.toString(), "tlc2.TLC"));
    command.addAll(List.of("-workers", Integer.toString(search.workers)));
    command.addAll(List.of("-metadir", folder.resolve("states").toString()));
    command.addAll(
        List.of("-config", SPEC_FOLDER.resolve(configuration.name() + ".cfg").toString()));
    command.add(SPEC_FOLDER.resolve(configuration.module() + ".tla").toString());
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
