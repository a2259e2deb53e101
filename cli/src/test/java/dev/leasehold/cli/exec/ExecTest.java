package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Main;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.model.ForwardingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Commands under a lease: real processes, directly on a store and through a server. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(600)
class ExecTest {
  private static final LeaseKey KEY = new LeaseKey("lock/exec");
  private static final int LOST = 4;

  /** So long that no renewal comes too late on a busy machine. */
  private static final String LONG = "10m";

  /** Where the test waits until the lease has run out; until then, renewals must come in time. */
  private static final String BRIEF = "8s";

  /** Ignores TERM, has a child of its own, and prints the ids of both. */
  private static final String STUBBORN =
      "trap '' TERM; sleep 300 & echo $$ $! > pids.new; mv pids.new pids; while :; do wait; done";

  private static final String PATIENT = "echo $$ > pids.new; mv pids.new pids; exec sleep 300";

  enum Way {
    STORE,
    SERVER
  }

  @TempDir private Path folder;
  private final List<Process> started = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private JdbcStore store;

  @SuppressWarnings("NullAway.Init")
  private LeaseholdServer server;

  @BeforeEach
  void open() {
    store = JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate().open();
    server = LeaseholdServer.on(store).start();
  }

  @AfterEach
  void close() {
    started.forEach(Process::destroyForcibly);
    server.close();
    store.close();
  }

  private Process exec(Way way, String script) throws IOException {
    return exec(way, script, LONG, "0s");
  }

  private Process exec(Way way, String script, String ttl, String wait) throws IOException {
    List<String> place =
        way == Way.STORE
            ? List.of("--store", "sqlite:" + folder.resolve("leases.db"))
            : List.of("--server", server.address().toString());
    List<String> words = new ArrayList<>();
    words.addAll(List.of("exec", KEY.text(), "--ttl", ttl, "--grace", "500ms", "--wait", wait));
    words.addAll(place);
    words.add(script);
    return start(words.toArray(String[]::new));
  }

  /** The last word is a script, which it runs. */
  private Process start(String... words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path", ""), Main.class.getName()));
    List<String> all = List.of(words);
    command.addAll(all.subList(0, all.size() - 1));
    command.addAll(List.of("--", "/bin/sh", "-c", all.getLast()));
    Process process = new ProcessBuilder(command).directory(folder.toFile()).inheritIO().start();
    started.add(process);
    return process;
  }

  /** With a ttl of a day, a renewal after a third of it does not happen during this test. */
  @Test
  void itIsRenewedAsOftenAsIsConfiguredForItsKind() throws Exception {
    Files.writeString(
        folder.resolve("leasehold.yaml"), "leases: {kinds: {lock: {ttl: 24h, heartbeat: 100ms}}}");
    Path renewed = folder.resolve("renewed");
    AtomicInteger renewals = new AtomicInteger();
    ForwardingStore counting =
        new ForwardingStore(store.leases()) {
          @Override
          public CompletionStage<List<Outcome>> apply(List<Command> batch) {
            if (batch.stream().anyMatch(Command.Renew.class::isInstance)
                && renewals.incrementAndGet() == 3) {
              write(renewed);
            }
            return super.apply(batch);
          }
        };
    try (LeaseholdServer counted = LeaseholdServer.on(counting).start()) {
      String waiting = "until [ -e renewed ]; do sleep 0.05; done; exit 7";
      Process wrapper =
          start("exec", KEY.text(), "--server", counted.address().toString(), waiting);
      assertThat(wrapper.waitFor()).isEqualTo(7);
    }
  }

  private static void write(Path file) {
    try {
      Files.writeString(file, "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<ProcessHandle> awaitPids(Process wrapper) throws Exception {
    Path pids = folder.resolve("pids");
    while (!Files.exists(pids)) {
      assertThat(wrapper.waitFor(20, TimeUnit.MILLISECONDS)).as("it ended at once").isFalse();
    }
    List<ProcessHandle> found = new ArrayList<>();
    for (String pid : Files.readString(pids).strip().split(" ", -1)) {
      ProcessHandle.of(Long.parseLong(pid)).ifPresent(found::add);
    }
    return found;
  }

  private static void signal(String name, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor())
        .isZero();
  }

  private static void awaitEnd(List<ProcessHandle> processes) {
    processes.forEach(process -> process.onExit().join());
  }

  @ParameterizedTest
  @EnumSource
  void theCodeIsThatOfTheCommandAndTheKeyIsFreeAfterIt(Way way) throws Exception {
    Process wrapper = exec(way, "env > seen; [ -e \"$LEASEHOLD_PROGRESS\" ] && exit 9");
    assertThat(wrapper.waitFor()).isEqualTo(9);
    assertThat(Files.readString(folder.resolve("seen")))
        .contains("LEASEHOLD_KEY=lock/exec\n", "LEASEHOLD_TOKEN=", "LEASEHOLD_HOLDER=")
        .contains("LEASEHOLD_" + way + "=");
    var reading = store.leases().read(KEY).toCompletableFuture().join().orElseThrow();
    assertThat(reading.record().currentGrant()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aWrapperThatIsStoppedLosesItsGroupToTheGuardian(Way way) throws Exception {
    Process wrapper = exec(way, STUBBORN, BRIEF, "0s");
    List<ProcessHandle> group = awaitPids(wrapper);
    assertThat(group).hasSize(2);
    signal("STOP", wrapper);
    // Its own child stays a zombie until it goes on; the child's child shows that the group is
    // dead.
    awaitEnd(group.subList(1, 2));
    signal("CONT", wrapper);
    assertThat(wrapper.waitFor()).isEqualTo(LOST);
  }

  @ParameterizedTest
  @EnumSource
  void aWrapperThatIsKilledLeavesItsGroupToTheGuardian(Way way) throws Exception {
    Process wrapper = exec(way, STUBBORN, BRIEF, "0s");
    List<ProcessHandle> group = awaitPids(wrapper);
    signal("KILL", wrapper);
    awaitEnd(group);
    assertThat(wrapper.waitFor()).isEqualTo(128 + 9);
  }

  @ParameterizedTest
  @EnumSource
  void termIsPassedOnAndTheKeyGivenBack(Way way) throws Exception {
    Process wrapper = exec(way, PATIENT);
    List<ProcessHandle> group = awaitPids(wrapper);
    signal("TERM", wrapper);
    assertThat(wrapper.waitFor()).isEqualTo(128 + 15);
    awaitEnd(group);
    var reading = store.leases().read(KEY).toCompletableFuture().join().orElseThrow();
    assertThat(reading.record().currentGrant()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aGroupWhoseLeaseIsRevokedIsKilledThoughItIgnoresTerm(Way way) throws Exception {
    Process wrapper = exec(way, STUBBORN, BRIEF, "0s");
    List<ProcessHandle> group = awaitPids(wrapper);
    Command revoke =
        new Command.Revoke(
            KEY,
            new Operator("test"),
            new Explanation("because"),
            Command.Reopening.AT_EXPIRY,
            RequestId.random());
    store.leases().apply(List.of(revoke)).toCompletableFuture().join();
    assertThat(wrapper.waitFor()).isEqualTo(LOST);
    awaitEnd(group);
  }

  @ParameterizedTest
  @EnumSource(names = "SERVER")
  void aServerThatGoesAwayEndsTheCommandInTime(Way way) throws Exception {
    Process wrapper = exec(way, PATIENT, BRIEF, "0s");
    List<ProcessHandle> group = awaitPids(wrapper);
    server.close();
    assertThat(wrapper.waitFor()).isEqualTo(LOST);
    awaitEnd(group);
  }

  /** The store accepts no writes: renewals are not answered, directly or by the server. */
  @ParameterizedTest
  @EnumSource
  void aStoreThatGoesAwayEndsTheCommandThoughItIgnoresTerm(Way way) throws Exception {
    Process wrapper = exec(way, STUBBORN, BRIEF, "0s");
    List<ProcessHandle> group = awaitPids(wrapper);
    String file = "jdbc:sqlite:" + folder.resolve("leases.db");
    try (Connection other = DriverManager.getConnection(file);
        Statement statement = other.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 60000");
      statement.execute("BEGIN IMMEDIATE");
      assertThat(wrapper.waitFor()).isEqualTo(LOST);
      awaitEnd(group);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCommandThatTakesItsTimeOverTermKeepsTheLeaseUntilItEnds(Way way) throws Exception {
    Process wrapper =
        exec(
            way,
            "trap 'touch asked' TERM; echo $$ > pids.new; mv pids.new pids;"
                + " while [ ! -e finish ]; do sleep 0.05; done; exit 7");
    List<ProcessHandle> group = awaitPids(wrapper);
    signal("TERM", wrapper);
    while (!Files.exists(folder.resolve("asked"))) {
      assertThat(wrapper.waitFor(20, TimeUnit.MILLISECONDS)).as("it did not wait").isFalse();
    }
    var held = store.leases().read(KEY).toCompletableFuture().join().orElseThrow();
    assertThat(held.record().currentGrant()).isPresent();
    Files.createFile(folder.resolve("finish"));
    assertThat(wrapper.waitFor()).isEqualTo(7);
    awaitEnd(group);
    var free = store.leases().read(KEY).toCompletableFuture().join().orElseThrow();
    assertThat(free.record().currentGrant()).isEmpty();
  }

  /** The processes that the killed wrapper left are gone before its lease has expired. */
  @ParameterizedTest
  @EnumSource
  void theNextHolderAfterAKilledWrapperFindsNoProcessOfItRunning(Way way) throws Exception {
    Process wrapper = exec(way, STUBBORN, BRIEF, "0s");
    assertThat(awaitPids(wrapper)).hasSize(2);
    signal("KILL", wrapper);
    String look =
        "for p in $(cat pids); do"
            + " [ -e /proc/$p ] && ! grep -q '^State:.Z' /proc/$p/status && exit 9; done; exit 0";
    assertThat(exec(way, look, LONG, "5m").waitFor()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void whatTheCommandLeavesBehindIsEndedBeforeTheKeyIsFree(Way way) throws Exception {
    Process wrapper = exec(way, "sleep 300 & echo $! > pids.new; mv pids.new pids; exit 0");
    assertThat(wrapper.waitFor()).isZero();
    long left = Long.parseLong(Files.readString(folder.resolve("pids")).strip());
    ProcessHandle.of(left).ifPresent(process -> process.onExit().join());
  }
}
