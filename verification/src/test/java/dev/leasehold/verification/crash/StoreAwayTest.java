package dev.leasehold.verification.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.PostgresNode;
import dev.leasehold.verification.engines.Signals;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The store is restarted, is gone for longer than the ttl, or is suspended. A restart costs no
 * lease whose ttl outlasts it, callers get a clear error soon (I12), a holder stops trusting its
 * lease before the grant expires (I6) and is told why (I9), and afterwards everything continues
 * without an operator.
 */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class StoreAwayTest {
  private static final Ticker TICKER = Ticker.system();
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @TempDir Path folder;

  private final EventLog events = new EventLog();
  private PostgresNode node;

  @BeforeEach
  void start() {
    node = PostgresNode.start(folder.resolve("postgres"));
    new Journal(node.database()).install();
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void aRestartCostsNoLease() throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(recorded(store.leases())).holder("holder").open();
        Lease lease = acquire(leases, Duration.ofSeconds(40))) {
      node.shutDown();
      long before = trustedUntilNanos(lease);
      node.start();
      while (lease.lossReason().isEmpty() && trustedUntilNanos(lease) < before + SECOND) {
        nap(lease);
      }
      assertThat(lease.lossReason()).isEmpty();
    }
    judge(1);
  }

  @Test
  void aServerThatIsGoneIsLostInTime() throws Exception {
    awayForLongerThanTheTtl(() -> node.kill(), () -> node.start());
  }

  @Test
  void aServerThatStandsStillIsLostInTime() throws Exception {
    awayForLongerThanTheTtl(
        () -> Signals.stop(node.processes()), () -> Signals.resume(node.processes()));
  }

  /** A pool whose pauses between attempts to connect grow must not cost a lease. */
  @Test
  void renewalsFindAServerThatIsBackAtOnce() throws Exception {
    Instance instance = Instance.random();
    LeaseKey key = new LeaseKey("work/one");
    Terms terms = Terms.of("holder", Duration.ofMinutes(5));
    try (JdbcStore store = JdbcStore.at(node.url()).open()) {
      Outcome acquired = ask(store, Command.Acquire.of(key, instance, RequestId.random(), terms));
      Token token = ((Outcome.Granted) acquired).grant().token();
      node.kill();
      for (int attempt = 0; attempt < 3; attempt++) {
        assertThat(ask(store, Command.Renew.of(key, token, instance)))
            .isInstanceOf(Outcome.Failed.class);
      }
      node.start();
      assertThat(ask(store, Command.Renew.of(key, token, instance)))
          .isInstanceOf(Outcome.Renewed.class);
    }
  }

  private static Outcome ask(JdbcStore store, Command command) throws Exception {
    return store
        .leases()
        .apply(List.of(command))
        .exceptionally(e -> List.of(new Outcome.Failed(Outcome.Certainty.UNKNOWN, e.toString())))
        .toCompletableFuture()
        .get(1, TimeUnit.MINUTES)
        .getFirst();
  }

  /** The control: with a store that pretends to renew, a holder trusts its lease for too long. */
  @Test
  void pretendedRenewalsAreFoundOut() throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases =
            Leases.on(recorded(new Pretending(store.leases()))).holder("holder").open();
        Lease lease = acquire(leases, Duration.ofSeconds(2))) {
      while (trustedUntilNanos(lease) < expiresAtNanos()) {
        nap(lease);
      }
    }
    CheckResult verdict = Judgement.judge(node.database(), events.events(), List.of());
    assertThat(verdict.broken()).contains(Invariant.I7);
  }

  private static final class Pretending extends ForwardingStore {
    Pretending(LeaseStore store) {
      super(store);
    }

    @Override
    public CompletionStage<List<Outcome>> apply(List<Command> batch) {
      return batch.getFirst() instanceof Command.Renew
          ? CompletableFuture.completedFuture(
              Collections.nCopies(batch.size(), new Outcome.Renewed(2_000)))
          : super.apply(batch);
    }
  }

  private void awayForLongerThanTheTtl(Runnable goAway, Runnable comeBack) throws Exception {
    try (JdbcStore store = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(recorded(store.leases())).holder("holder").open()) {
      Lease lease = acquire(leases, Duration.ofSeconds(2));
      CompletableFuture<LossReason> lost = lease.lost().toCompletableFuture();
      long trustedUntil = trustedUntilNanos(lease);
      goAway.run();
      if (!lease.trust().isZero()) {
        // A renewal may have been answered meanwhile.
        trustedUntil = trustedUntilNanos(lease);
      }
      CompletableFuture<Acquisition> other =
          leases.acquireAsync(LeaseRequest.of("work/other"), Duration.ZERO);
      assertThat(lost.get(1, TimeUnit.MINUTES)).isEqualTo(new LossReason.Unreachable());
      assertThat(lease.trust()).isZero();
      assertThat(other.get(1, TimeUnit.MINUTES)).isInstanceOf(Acquisition.Failed.class);
      comeBack.run();
      assertThat(trustedUntil).isLessThan(expiresAtNanos());
      lease.close();
      // The same objects continue to work, without an operator.
      acquire(leases, Duration.ofSeconds(2)).close();
    }
    judge(2);
  }

  /** Until when the holder trusts the lease, on its ticker. */
  private static long trustedUntilNanos(Lease lease) {
    Duration trust = lease.trust();
    return TICKER.nanos() + trust.toNanos();
  }

  /** The latest time at which the grant expires in the store, on the ticker. */
  private long expiresAtNanos() {
    long leftMillis = node.leftMillis("work/one");
    return TICKER.nanos() + TimeUnit.MILLISECONDS.toNanos(leftMillis);
  }

  private RecordingStore recorded(LeaseStore store) {
    return new RecordingStore(store, new HistoryRecorder("holder", TICKER, events));
  }

  private static Lease acquire(Leases leases, Duration ttl) throws InterruptedException {
    Acquisition acquisition =
        leases.acquire(LeaseRequest.of("work/one").ttl(ttl), Duration.ofMinutes(1));
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  private void judge(int grants) {
    CheckResult verdict = Judgement.judge(node.database(), events.events(), List.of());
    verdict.requireClean();
    verdict.tally().requireAtLeast(Count.GRANTS, grants);
  }

  /** Waits until the lease is lost, but only for a moment. */
  private static void nap(Lease lease) throws Exception {
    try {
      lease.ending().toCompletableFuture().get(10, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return;
    }
  }
}
