package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** How soon a key is taken over: when its holder gives it back, and when its holder is killed. */
final class TakeoverCase {
  private static final int RELEASES = 300;
  private static final int FEWEST_RELEASES = 10;
  private static final int KILLS = 5;
  private static final int KEYS_OF_HOLDER = 40;
  private static final int FEWEST_KEYS = 5;
  private static final Duration WAIT = Duration.ofSeconds(60);
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final double MOST_AFTER_RELEASE_MILLIS = 50;
  private static final double MOST_AFTER_EXPIRY_MILLIS = 250;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;

  private final Stage stage;
  private final String url;

  private TakeoverCase(Stage stage) {
    this.stage = stage;
    this.url = stage.postgres().url();
  }

  static void run(Stage stage) throws Exception {
    Report report = stage.report();
    report.title("Takeover, PostgreSQL");
    report.header("what", "takeovers", "p50 ms", "p99 ms", "longest ms", "durability");
    TakeoverCase takeover = new TakeoverCase(stage);
    Optional<Measured> released =
        Notices.arrive(takeover.url) ? Optional.of(takeover.afterReleases()) : Optional.empty();
    if (released.isPresent()) {
      row(report, "after a release in another process", released.get());
    } else {
      report.row(
          "after a release in another process",
          "skipped: a release does not wake other processes",
          "",
          "",
          "",
          "");
    }
    Measured killed = takeover.afterKills();
    row(report, "after kill -9, from the end of the remaining ttl", killed);
    released.ifPresent(
        measured ->
            report.target(
                measured.quantileMillis(TAIL) < MOST_AFTER_RELEASE_MILLIS,
                "p99 below 50 ms after a release, with notify",
                Report.number(measured.quantileMillis(TAIL)) + " ms"));
    report.target(
        killed.quantileMillis(TAIL) < MOST_AFTER_EXPIRY_MILLIS,
        "p99 below the remaining ttl + 250 ms after kill -9",
        "the remaining ttl + " + Report.number(killed.quantileMillis(TAIL)) + " ms");
  }

  private static void row(Report report, String name, Measured measured) {
    report.row(
        name,
        measured.count(),
        measured.quantileMillis(HALF),
        measured.quantileMillis(TAIL),
        measured.quantileMillis(1),
        PostgresServer.DURABILITY);
  }

  /** Two instances that look to the store like two processes, and pass a key to and fro. */
  private Measured afterReleases() throws Exception {
    int times = stage.settings().share(RELEASES, FEWEST_RELEASES);
    long[] nanos = new long[times];
    LeaseRequest request = LeaseRequest.of("leader/to-and-fro").ttl(LeaseLocks.TTL);
    try (JdbcStore storeA = JdbcStore.at(url).migrate().open();
        JdbcStore storeB = JdbcStore.at(url).migrate().open();
        Leases processA = Leases.on(storeA).holder("a").open();
        Leases processB = Leases.on(storeB).holder("b").open()) {
      Leases taking = processB;
      Lease held = lease(processA.tryAcquire(request));
      for (int i = 0; i < times; i++) {
        CompletableFuture<Long> taken = new CompletableFuture<>();
        CompletableFuture<Acquisition> waiting = taking.acquireAsync(request, WAIT);
        var unused = waiting.thenRun(() -> taken.complete(Load.now()));
        awaitStanding(taking, request);
        long begun = Load.now();
        held.close();
        nanos[i] = taken.get(WAIT.toSeconds(), TimeUnit.SECONDS) - begun;
        held = lease(waiting.get());
        taking = taking.equals(processB) ? processA : processB;
      }
      held.close();
    }
    return Measured.of(nanos, 1);
  }

  /**
   * Waits for two round trips of the waiter: by then it knows that the key is held, and watches it.
   */
  private static void awaitStanding(Leases taking, LeaseRequest request)
      throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      LeaseRequest other =
          LeaseRequest.of(request.key().text() + "-" + taking.instanceId().text().substring(0, 8));
      lease(taking.tryAcquire(other)).close();
    }
  }

  private static Lease lease(Acquisition acquisition) {
    if (acquisition instanceof Acquisition.Acquired acquired) {
      return acquired.lease();
    }
    throw new IllegalStateException("not acquired: " + acquisition);
  }

  private Measured afterKills() throws Exception {
    int kills = stage.settings().share(KILLS, 1);
    int keys = stage.settings().share(KEYS_OF_HOLDER, FEWEST_KEYS);
    List<Measured> parts = new ArrayList<>();
    for (int i = 0; i < kills; i++) {
      parts.add(afterKill(Keys.of("leader/killed-" + i, 0, keys)));
    }
    return Measured.together(parts, 1);
  }

  private record Taken(Lease lease, long atNanos) {}

  private Measured afterKill(List<LeaseKey> keys) throws Exception {
    try (JdbcStore store = JdbcStore.at(url).migrate().open();
        Leases waiting = Leases.on(store).holder("heir").open();
        HolderProcess holder = HolderProcess.start(url, keys, TTL)) {
      List<CompletableFuture<Taken>> taken = new ArrayList<>();
      for (LeaseKey key : keys) {
        taken.add(
            waiting
                .acquireAsync(LeaseRequest.of(key).ttl(LeaseLocks.TTL), WAIT)
                .thenApply(acquisition -> new Taken(lease(acquisition), Load.now())));
      }
      holder.awaitRenewal(store);
      holder.kill();
      long[] ends = new long[keys.size()];
      for (int i = 0; i < ends.length; i++) {
        ends[i] = endOfGrant(store, keys.get(i));
      }
      long[] late = new long[keys.size()];
      for (int i = 0; i < late.length; i++) {
        Taken one = taken.get(i).get(WAIT.toSeconds(), TimeUnit.SECONDS);
        late[i] = Math.max(0, one.atNanos() - ends[i]);
        one.lease().close();
      }
      return Measured.of(late, 1);
    }
  }

  /** The earliest time at which the grant ends, on this process's clock; the answer took time. */
  private static long endOfGrant(JdbcStore store, LeaseKey key) {
    long asked = Load.now();
    LeaseReading reading = store.leases().read(key).toCompletableFuture().join().orElseThrow();
    long expires = reading.record().grant().orElseThrow().expiresAtMillis();
    return asked + TimeUnit.MILLISECONDS.toNanos(expires - reading.atMillis());
  }
}
