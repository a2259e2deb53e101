package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Locks;
import dev.leasehold.benchmarks.rivals.Rival;
import dev.leasehold.benchmarks.rivals.Rivals;
import dev.leasehold.benchmarks.rivals.ShedLocks;
import dev.leasehold.benchmarks.rivals.SpringLocks;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** 64 callers that all want one key: how fast it passes from holder to holder, and the cost. */
final class HotCase {
  private static final int CALLERS = 64;
  private static final int FEW_CALLERS = 8;
  private static final int POOL = 8;
  private static final int PROCESSES = 4;
  private static final double MOST_STATEMENTS = 3;
  private static final double HALF = 0.5;
  private static final Duration WAIT = Duration.ofSeconds(60);

  /**
   * A waiter that got no hint asks again only when the grant would have expired, so such a long
   * wait means a lost hint.
   */
  private static final double LOST_AFTER_MILLIS = LeaseLocks.TTL.toMillis() / 2.0;

  private final Stage stage;

  private HotCase(Stage stage) {
    this.stage = stage;
  }

  static void run(Stage stage) throws Exception {
    Report report = stage.report();
    report.title("64 callers on one hot key");
    report.header(
        "what",
        "hand-overs a second",
        "statements each",
        "wait p50 ms",
        "longest ms",
        "durability");
    HotCase hot = new HotCase(stage);
    String url = stage.postgres().url();
    double statements = 0;
    double longest = 0;
    for (int callers : List.of(FEW_CALLERS, CALLERS)) {
      try (LeaseLocks ours = ours(url)) {
        Figures figures =
            hot.onPostgres("Leasehold, one process, %d callers".formatted(callers), ours, callers);
        statements = Math.max(statements, figures.statements);
        longest = Math.max(longest, figures.longestMillis);
      }
    }
    if (Notices.arrive(url)) {
      try (Locks ours = new Spread(url)) {
        Figures figures = hot.onPostgres("Leasehold, 4 processes, 64 callers", ours, CALLERS);
        statements = Math.max(statements, figures.statements);
        longest = Math.max(longest, figures.longestMillis);
      }
    } else {
      report.row(
          "Leasehold, 4 processes, 64 callers",
          "skipped: a release does not wake other processes",
          "",
          "",
          "",
          "");
    }
    if (stage.settings().rivals()) {
      hot.rivals(url);
    }
    report.target(
        statements <= MOST_STATEMENTS,
        "at most 3 statements for each hand-over, whatever the number of waiters",
        Report.number(statements));
    report.target(
        longest < LOST_AFTER_MILLIS,
        "no lost wake-up",
        "the longest wait was " + Report.number(longest) + " ms");
  }

  private static LeaseLocks ours(String url) {
    return new LeaseLocks(JdbcStore.at(url).migrate().open().leases(), WAIT);
  }

  /** Callers that look to the store like several processes. */
  private static final class Spread implements Locks {
    private final List<LeaseLocks> processes = new ArrayList<>();

    Spread(String url) {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(ours(url));
      }
    }

    @Override
    public void whileHeld(String key, Runnable work) throws InterruptedException {
      int mine = (int) (Thread.currentThread().threadId() % PROCESSES);
      processes.get(mine).whileHeld(key, work);
    }

    @Override
    public void close() {
      processes.forEach(LeaseLocks::close);
    }
  }

  private record Figures(double statements, double longestMillis) {}

  private Figures onPostgres(String name, Locks locks, int callers) throws Exception {
    Measured unused = load(locks, callers);
    long before = stage.postgres().statements();
    Measured measured = load(locks, callers);
    double each = (double) (stage.postgres().statements() - before) / Math.max(1, measured.count());
    row(name, measured, Report.number(each), PostgresServer.DURABILITY);
    return new Figures(each, measured.quantileMillis(1));
  }

  private void rivals(String url) throws Exception {
    try (Locks shed = ShedLocks.open(url, POOL)) {
      Figures unused = onPostgres("ShedLock 7.7.0, asking every 10 ms", shed, CALLERS);
    }
    try (Locks spring = SpringLocks.open(url, POOL)) {
      Figures unused = onPostgres("Spring Integration JDBC 7.0.0", spring, CALLERS);
    }
    for (Rival rival : Rivals.onOtherServers()) {
      if (rival.missing().isPresent()) {
        stage.report().row(rival.name(), rival.missing().get(), "", "", "", "");
      } else {
        try (Locks locks = rival.opening().open()) {
          Measured unused = load(locks, CALLERS);
          row(rival.name(), load(locks, CALLERS), "", rival.durability());
        }
      }
    }
  }

  private void row(String name, Measured measured, String statements, String durability) {
    stage
        .report()
        .row(
            name,
            measured.perSecond(),
            statements,
            measured.quantileMillis(HALF),
            measured.quantileMillis(1),
            durability);
  }

  /**
   * The counter has no lock of its own, so increments would be lost if two callers ever held the
   * key.
   */
  private Measured load(Locks locks, int callers) throws Exception {
    int[] inside = new int[1];
    Measured measured =
        Load.run(
            callers,
            stage.settings().round(),
            caller -> locks.whileHeld("lock/hot", () -> inside[0]++));
    if (inside[0] != measured.count()) {
      throw new IllegalStateException(
          "%d counted of %d: two were inside at once".formatted(inside[0], measured.count()));
    }
    return measured;
  }
}
