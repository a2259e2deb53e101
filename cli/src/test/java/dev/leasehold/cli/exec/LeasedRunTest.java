package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run whose means fail: shells that cannot be started, guardians that die. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeasedRunTest {
  private static final LeaseKey KEY = new LeaseKey("lock/run");
  private static final Duration SHORT = Duration.ofSeconds(1);

  /** The test waits until the lease has run out, but renewals must come in time before. */
  private static final Duration BRIEF = Duration.ofSeconds(5);

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration GRACE = Duration.ofMillis(50);

  private static final String STUBBORN =
      "trap '' TERM; cd \"$FOLDER\"; sleep 300 & : > up; while :; do wait; done";

  private static final String WAITING =
      "cd \"$FOLDER\"; : > up; until [ -e finish ]; do sleep 0.02; done; exit 7";

  @TempDir private Path folder;
  private final AtomicLong group = new AtomicLong();
  private final List<GuardianProcess> guardians = new CopyOnWriteArrayList<>();
  private final MemoryLeaseStore store =
      new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);

  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private Leases leases;

  @SuppressWarnings("NullAway.Init") // each test calls it first
  private Lease lease;

  @BeforeEach
  void open() {
    leases = Leases.on(store).holder("test").open();
  }

  private void acquire(Duration ttl) throws InterruptedException {
    LeaseRequest request = LeaseRequest.of(KEY.text()).ttl(ttl).grace(GRACE);
    lease = ((Acquisition.Acquired) leases.tryAcquire(request)).lease();
  }

  @AfterEach
  void close() {
    ProcessGroup.of(group.get()).signal("KILL");
    leases.close();
  }

  private LeasedRun run(String script, Ticker ticker, LeasedRun.Means means) {
    List<String> command = List.of("/bin/sh", "-c", script);
    Map<String, String> environment = Map.of("FOLDER", folder.toString());
    return new LeasedRun(
        lease, new LeasedRun.Plan(command, environment, SHORT, GRACE), ticker, means);
  }

  private LeasedRun.Means means(String shell, Guards.Start start) {
    return new LeasedRun.Means(
        id -> {
          group.set(id);
          return new ProcessGroup(id, shell);
        },
        start,
        taker -> {});
  }

  private GuardianProcess guardian() throws IOException {
    GuardianProcess guardian = GuardianProcess.start(lease, GRACE, Duration.ofMillis(20));
    guardians.add(guardian);
    return guardian;
  }

  private static CompletableFuture<LeasedRun.Ended> begin(LeasedRun run) {
    CompletableFuture<LeasedRun.Ended> ended = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                ended.complete(run.run());
              } catch (IOException | InterruptedException | RuntimeException e) {
                ended.completeExceptionally(e);
              }
            });
    return ended;
  }

  private boolean isUp() {
    return Files.exists(folder.resolve("up"));
  }

  private void awaitUp(CompletableFuture<?> running) {
    while (!isUp()) {
      assertThat(running).isNotDone();
      Thread.onSpinWait();
    }
  }

  private void killGuardian() {
    ProcessHandle guardian = guardians.getLast().handle();
    assertThat(guardian.destroyForcibly()).isTrue();
    guardian.onExit().join();
  }

  @Test
  void aCommandIsEndedThoughNoProcessCanBeStartedToSignalIt() throws Exception {
    acquire(BRIEF);
    LeasedRun run = run(STUBBORN, Ticker.system(), means(Groups.NO_SHELL, this::guardian));
    CompletableFuture<LeasedRun.Ended> ended = begin(run);
    awaitUp(ended);
    Command revoke =
        new Command.Revoke(
            KEY,
            new Operator("olga"),
            new Explanation("because"),
            Command.Reopening.AT_EXPIRY,
            RequestId.random());
    store.apply(List.of(revoke)).toCompletableFuture().join();
    assertThat(ended.join())
        .isEqualTo(new LeasedRun.Ended.Lost(new LossReason.Revoked("olga", "because")));
    assertThat(ProcessGroup.of(group.get()).isAlive()).isFalse();
  }

  /** An unexpected exception in the middle of the run. */
  private long failing() {
    if (isUp()) {
      throw new IllegalStateException("planted");
    }
    return Ticker.system().nanos();
  }

  @Test
  void noProcessOfTheCommandIsLeftWhenARunThatFailedReleasesTheLease() throws Exception {
    acquire(LONG);
    LeasedRun run = run(STUBBORN, this::failing, means("/bin/sh", this::guardian));
    assertThatThrownBy(run::run).isInstanceOf(IllegalStateException.class).hasMessage("planted");
    assertThat(ProcessGroup.of(group.get()).isAlive()).isFalse();
    assertThat(lease.lossReason()).isEmpty();
  }

  @Test
  void aGuardianThatDiesIsFollowedByAnother() throws Exception {
    acquire(LONG);
    LeasedRun run = run(WAITING, Ticker.system(), means("/bin/sh", this::guardian));
    CompletableFuture<LeasedRun.Ended> ended = begin(run);
    awaitUp(ended);
    killGuardian();
    while (guardians.size() < 2 || !guardians.get(1).isGuarding()) {
      assertThat(ended).isNotDone();
      Thread.onSpinWait();
    }
    Files.createFile(folder.resolve("finish"));
    assertThat(ended.join()).isEqualTo(new LeasedRun.Ended.ByItself(7));
  }

  @Test
  void aCommandThatHasNoGuardianAnyMoreIsEndedAndItsKeyReleased() throws Exception {
    acquire(BRIEF);
    Guards.Start once =
        () -> {
          if (!guardians.isEmpty()) {
            throw new IOException("no more processes");
          }
          return guardian();
        };
    CompletableFuture<LeasedRun.Ended> ended =
        begin(run(STUBBORN, Ticker.system(), means("/bin/sh", once)));
    awaitUp(ended);
    killGuardian();
    assertThat(ended.join()).isEqualTo(new LeasedRun.Ended.Unguarded());
    assertThat(ProcessGroup.of(group.get()).isAlive()).isFalse();
    var reading = store.read(KEY).toCompletableFuture().join().orElseThrow();
    assertThat(reading.record().currentGrant()).isEmpty();
  }
}
