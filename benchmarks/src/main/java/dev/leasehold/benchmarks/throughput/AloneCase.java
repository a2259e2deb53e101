package dev.leasehold.benchmarks.throughput;

import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;

/** One caller alone: the cost of a batch of one command. */
final class AloneCase {
  private static final double MOST = 1.5;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;
  private static final String OURS = "Leasehold, acquire then release";
  private static final String BARE = "bare: two single-row updates";

  private AloneCase() {}

  static void run(Stage stage) throws Exception {
    Settings settings = stage.settings();
    try (LeaseLocks ours =
        new LeaseLocks(
            JdbcStore.at(stage.postgres().url()).migrate().open().leases(), Duration.ZERO)) {
      String key = Keys.of("lock/alone", 0).text();
      ours.whileHeld(key, () -> {});
      BareRows.create(stage.postgres());
      try (BareRows bare =
          new BareRows(stage.postgres().connect(), List.of(Keys.of("lock/alone", 0)))) {
        Contest contest =
            new Contest(stage)
                .enter(
                    OURS, () -> Load.repeat(settings.round(), () -> ours.whileHeld(key, () -> {})))
                .enter(
                    BARE,
                    () ->
                        Load.repeat(
                            settings.round(),
                            () -> {
                              bare.changeOne();
                              bare.changeOne();
                            }))
                .run();
        long before = stage.postgres().statements();
        ours.whileHeld(key, () -> {});
        report(stage.report(), contest, stage.postgres().statements() - before);
      }
    }
  }

  private static void report(Report report, Contest contest, long statements) {
    report.title("One caller alone, acquire then release, PostgreSQL");
    report.header("what", "p50 ms", "p99 ms", "a second", "durability");
    for (String name : List.of(OURS, BARE)) {
      report.row(
          name,
          contest.quantileMillis(name, HALF),
          contest.quantileMillis(name, TAIL),
          contest.perSecond(name),
          PostgresServer.DURABILITY);
    }
    double ratio = contest.quantileMillis(OURS, HALF) / contest.quantileMillis(BARE, HALF);
    report.target(
        ratio <= MOST,
        "p50 at most 1.5 x two bare single-row updates",
        Report.times(ratio) + ", with " + statements + " statements");
  }
}
