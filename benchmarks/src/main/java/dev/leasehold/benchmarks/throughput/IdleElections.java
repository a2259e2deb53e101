package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Candidates;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The cost of leading many elections in one process while nothing happens. */
final class IdleElections {
  private static final int ELECTIONS = 1_000;
  private static final int FEWEST = 10;
  private static final Duration TTL = Duration.ofSeconds(30);

  /** The time of the measurement: a ttl, so that everything is renewed three times. */
  private static final Duration WATCHED = Duration.ofSeconds(30);

  private static final int TIMEOUT_SECONDS = 60;

  private IdleElections() {}

  /** The resources used up to a time. */
  private record Spent(long nanos, long statements, Duration here, Duration server) {
    static Spent soFar(PostgresServer postgres) throws SQLException {
      return new Spent(
          Load.now(),
          postgres.statements(),
          ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO),
          postgres.processorTime());
    }
  }

  static void run(Stage stage) throws Exception {
    int elections = stage.settings().share(ELECTIONS, FEWEST);
    try (Candidates candidates = ElectionCandidates.open(stage.postgres().url(), TTL)) {
      CountDownLatch leading = new CountDownLatch(elections);
      for (int i = 0; i < elections; i++) {
        candidates.stand("idle-" + i, leading::countDown);
      }
      if (!leading.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException(leading.getCount() + " elections are not won");
      }
      Spent before = Spent.soFar(stage.postgres());
      LockSupport.parkNanos((long) (WATCHED.toNanos() * stage.settings().share()));
      report(stage.report(), elections, before, Spent.soFar(stage.postgres()));
    }
  }

  private static void report(Report report, int elections, Spent before, Spent after) {
    double seconds = (after.nanos() - before.nanos()) / (double) TimeUnit.SECONDS.toNanos(1);
    report.title("%,d elections led by one process, idle, PostgreSQL".formatted(elections));
    report.header(
        "ttl s", "watched s", "statements a second", "CPU of the process", "CPU of the server");
    report.row(
        TTL.toSeconds(),
        seconds,
        (after.statements() - before.statements()) / seconds,
        ofOneCore(after.here().minus(before.here()), seconds),
        ofOneCore(after.server().minus(before.server()), seconds));
  }

  private static String ofOneCore(Duration taken, double seconds) {
    double part = taken.toNanos() / (double) TimeUnit.SECONDS.toNanos(1) / seconds;
    return Report.percent(part) + " of a core";
  }
}
