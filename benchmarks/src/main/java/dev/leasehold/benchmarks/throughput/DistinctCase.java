package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Locks;
import dev.leasehold.benchmarks.rivals.Rival;
import dev.leasehold.benchmarks.rivals.Rivals;
import dev.leasehold.benchmarks.rivals.ShedLocks;
import dev.leasehold.benchmarks.rivals.SpringLocks;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** 64 callers, each with its own key: the gain from batches, compared with the rivals. */
final class DistinctCase {
  static final int CALLERS = 64;

  /** As many connections as a process has batches in flight. */
  static final int CONNECTIONS = 4;

  private static final int MANY_CONNECTIONS = 32;
  private static final List<Integer> POOL_SIZES = List.of(4, 8, 16, 32);
  private static final double LEAST_OF_RIVALS = 8;
  private static final double LEAST_OF_LIMIT = 0.4;
  private static final double TAIL = 0.99;
  private static final double HALF = 0.5;
  private static final String PREFIX = "lock/distinct";
  private static final String OURS = "Leasehold";
  private static final String ARRAYS = "bare: arrays of the same size, 4 connections";

  private final Stage stage;
  private final Settings settings;
  private final Contest contest;
  private final Map<String, String> durability = new LinkedHashMap<>();
  private final Map<String, String> skipped = new LinkedHashMap<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  private DistinctCase(Stage stage) {
    this.stage = stage;
    this.settings = stage.settings();
    this.contest = new Contest(stage);
  }

  static void run(Stage stage) throws Exception {
    DistinctCase one = new DistinctCase(stage);
    try {
      one.measure();
    } finally {
      for (AutoCloseable resource : one.open.reversed()) {
        resource.close();
      }
    }
  }

  private void measure() throws Exception {
    String url = stage.postgres().url();
    LeaseLocks ours =
        keep(new LeaseLocks(JdbcStore.at(url).migrate().open().leases(), Duration.ZERO));
    enter(OURS, PostgresServer.DURABILITY, ours);
    // Measured twice, because batches grow only after the first, slow calls.
    double batch = 0;
    for (int i = 0; i < 2; i++) {
      Measured unused = load(ours);
      batch = ours.commandsPerBatch();
    }
    enterBare((int) Math.round(batch));
    if (settings.rivals()) {
      enterBest("ShedLock 7.7.0", size -> ShedLocks.open(url, size));
      enterBest("Spring Integration JDBC 7.0.0", size -> SpringLocks.open(url, size));
      for (Rival rival : Rivals.onOtherServers()) {
        enter(rival);
      }
    }
    contest.run();
    report(batch);
  }

  private <T extends AutoCloseable> T keep(T resource) {
    open.add(resource);
    return resource;
  }

  private void enter(Rival rival) throws Exception {
    Optional<String> missing = rival.missing();
    if (missing.isPresent()) {
      skipped.put(rival.name(), missing.get());
    } else {
      enter(rival.name(), rival.durability(), keep(rival.opening().open()));
    }
  }

  private void enter(String name, String how, Locks locks) {
    durability.put(name, how);
    contest.enter(name, () -> load(locks));
  }

  private Measured load(Locks locks) throws Exception {
    return Load.run(
        CALLERS,
        settings.round(),
        caller -> locks.whileHeld(Keys.of(PREFIX, caller).text(), () -> {}));
  }

  private interface Pooled {
    Locks open(int connections);
  }

  /** Finds the best size of the pool by trying. */
  private void enterBest(String name, Pooled pooled) throws Exception {
    int best = 0;
    double bestRate = 0;
    for (int size : POOL_SIZES) {
      try (Locks locks = pooled.open(size)) {
        Measured unused = load(locks);
        double rate = load(locks).perSecond();
        if (rate > bestRate) {
          best = size;
          bestRate = rate;
        }
      }
    }
    enter(
        name + ", best of pools (" + best + ")",
        PostgresServer.DURABILITY,
        keep(pooled.open(best)));
  }

  private void enterBare(int batch) throws Exception {
    BareRows.create(stage.postgres());
    enterBare("bare: one row a commit, 4 connections", CONNECTIONS, 1);
    enterBare("bare: one row a commit, 32 connections", MANY_CONNECTIONS, 1);
    enterBare(ARRAYS, CONNECTIONS, batch);
  }

  /** Two rows changed for each pair of acquire and release; each connection has its own rows. */
  private void enterBare(String name, int connections, int size) throws Exception {
    List<BareRows> rows = new ArrayList<>();
    for (int i = 0; i < connections; i++) {
      int share = CALLERS / connections;
      rows.add(keep(new BareRows(stage.postgres().connect(), Keys.of(PREFIX, i * share, share))));
    }
    durability.put(name, PostgresServer.DURABILITY);
    contest.enter(name, () -> pairs(rows, size));
  }

  private Measured pairs(List<BareRows> rows, int size) throws Exception {
    int atOnce = Math.min(size, CALLERS / rows.size());
    Measured statements =
        Load.run(
            rows.size(),
            settings.round(),
            i -> {
              if (atOnce == 1) {
                rows.get(i).changeOne();
              } else {
                rows.get(i).changeMany(atOnce);
              }
            });
    return Measured.counted(statements.count() * atOnce / 2, statements.elapsedNanos());
  }

  private void report(double batch) {
    Report report = stage.report();
    report.title("64 callers, distinct keys, acquire and release");
    report.header("what", "pairs a second", "Leasehold is", "p50 ms", "p99 ms", "durability");
    double ours = contest.perSecond(OURS);
    durability.forEach(
        (name, how) -> {
          boolean bare = name.startsWith("bare");
          report.row(
              name,
              contest.failureOf(name).orElse(Report.number(contest.perSecond(name))),
              Report.times(ours / contest.perSecond(name)),
              bare ? "" : Report.number(contest.quantileMillis(name, HALF)),
              bare ? "" : Report.number(contest.quantileMillis(name, TAIL)),
              how);
        });
    skipped.forEach((name, why) -> report.row(name, why, "", "", "", ""));
    report.note("Leasehold's batches had %s commands.".formatted(Report.number(batch)));
    double limit = ours / contest.perSecond(ARRAYS);
    report.target(
        limit >= LEAST_OF_LIMIT, "at least 40 % of the bare array limit", Report.percent(limit));
    if (settings.rivals()) {
      reportRivals(report, ours);
    }
  }

  private void reportRivals(Report report, double ours) {
    double best =
        durability.keySet().stream()
            .filter(name -> name.startsWith("ShedLock") || name.startsWith("Spring"))
            .mapToDouble(contest::perSecond)
            .max()
            .orElse(0);
    report.target(
        ours / best >= LEAST_OF_RIVALS,
        "at least 8 x ShedLock and Spring Integration at their best pool size",
        Report.times(ours / best) + " the better of them");
    double servers =
        durability.keySet().stream()
            .filter(name -> name.contains("etcd") || name.contains("ZooKeeper"))
            .mapToDouble(contest::perSecond)
            .max()
            .orElse(0);
    report.target(
        ours > servers,
        "ahead of etcd and ZooKeeper in the same run",
        Report.times(ours / servers) + " the better of them");
  }
}
