package dev.leasehold.benchmarks.throughput;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** The cost of updating one row through each fence on JDBC, compared with the bare update. */
final class FencesCase {
  private static final double MOST_ALONE = 1.3;
  private static final double LEAST_AT_EFFECT = 0.85;
  private static final double LEAST_GUARDED = 0.8;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;
  private static final int COUNTED = 50;
  private static final int SHORTER = 3;
  private static final List<FenceWay> AT_EFFECT =
      List.of(FenceWay.CHANGE, FenceWay.CHECK, FenceWay.FRAGMENT);

  private final Stage stage;
  private final FencedRows rows;
  private final Map<FenceWay, Spent> spent = new EnumMap<>(FenceWay.class);
  private final AtomicIntegerArray turns = new AtomicIntegerArray(FencedRows.CONNECTIONS);

  private FencesCase(Stage stage, FencedRows rows) {
    this.stage = stage;
    this.rows = rows;
  }

  static void run(Stage stage) throws Exception {
    try (FencedRows rows = new FencedRows(stage.postgres())) {
      FencesCase one = new FencesCase(stage, rows);
      one.together();
      // Measured last, when all of Leasehold's code is compiled.
      one.alone();
    }
  }

  private void update(FenceWay way, int caller) throws Exception {
    int turn = turns.getAndIncrement(caller) % FencedRows.ROWS_A_CALLER;
    way.update(rows, caller * FencedRows.ROWS_A_CALLER + turn);
  }

  private void alone() throws Exception {
    Duration each = stage.settings().round().multipliedBy(FenceWay.values().length);
    List<FenceWay> ways = List.of(FenceWay.values());
    List<Load.Action> actions = new ArrayList<>();
    ways.forEach(way -> actions.add(() -> update(way, 0)));
    List<Measured> unused = Load.inTurn(each, actions);
    List<Measured> measured =
        Load.inTurn(each.multipliedBy(stage.settings().rounds()), List.copyOf(actions));
    Map<FenceWay, Measured> alone = new EnumMap<>(FenceWay.class);
    for (int i = 0; i < ways.size(); i++) {
      alone.put(ways.get(i), measured.get(i));
    }
    report(alone);
  }

  private void report(Map<FenceWay, Measured> alone) throws Exception {
    Report report = stage.report();
    report.title("One update under a lease, one caller alone, PostgreSQL");
    report.header("what", "p50 ms", "p99 ms", "p50 beside", "is", "statements", "durability");
    for (FenceWay way : FenceWay.values()) {
      report.row(
          way.text(),
          p50(alone, way),
          quantileMillis(alone, way, TAIL),
          way.bare().text(),
          Report.times(p50(alone, way) / p50(alone, way.bare())),
          statements(way),
          PostgresServer.DURABILITY);
    }
    report.note("All ways took turns, update by update.");
    for (FenceWay way : AT_EFFECT) {
      double ratio = p50(alone, way) / p50(alone, way.bare());
      report.target(
          ratio <= MOST_ALONE,
          "%s, p50 at most 1.3 x %s".formatted(way.text(), way.bare().text()),
          Report.times(ratio));
    }
  }

  private static double p50(Map<FenceWay, Measured> alone, FenceWay way) {
    return quantileMillis(alone, way, HALF);
  }

  private static double quantileMillis(Map<FenceWay, Measured> alone, FenceWay way, double part) {
    return alone.getOrDefault(way, Measured.nothing()).quantileMillis(part);
  }

  /** A BEGIN travels with the next statement, so these are round trips too. */
  private long statements(FenceWay way) throws Exception {
    long before = stage.postgres().statements();
    for (int i = 0; i < COUNTED; i++) {
      update(way, 0);
    }
    return Math.round((double) (stage.postgres().statements() - before) / COUNTED);
  }

  private void together() throws Exception {
    Contest contest = new Contest(inShortRounds());
    for (FenceWay way : FenceWay.values()) {
      contest.enter(way.text(), () -> counted(way));
    }
    contest.run();
    Report report = stage.report();
    report.title(
        "Updates of distinct rows under one lease, %d connections, PostgreSQL"
            .formatted(FencedRows.CONNECTIONS));
    report.header(
        "what", "updates a second", "rate of", "is", "p50 ms", "processor µs", "multixacts");
    for (FenceWay way : FenceWay.values()) {
      report.row(
          way.text(),
          contest.perSecond(way.text()),
          way.bare().text(),
          Report.percent(rate(contest, way)),
          contest.quantileMillis(way.text(), HALF),
          spent.getOrDefault(way, Spent.NOTHING).microsAnUpdate(),
          spent.getOrDefault(way, Spent.NOTHING).multixactsAnUpdate());
    }
    report.note("Processor time and multixacts are of one update; the former is JVM and server.");
    reportMembers();
    for (FenceWay way : AT_EFFECT) {
      reportRate(contest, way, LEAST_AT_EFFECT);
    }
    reportRate(contest, FenceWay.GUARDED, LEAST_GUARDED);
  }

  private void reportRate(Contest contest, FenceWay way, double least) {
    double rate = rate(contest, way);
    stage
        .report()
        .target(
            rate >= least,
            "%s, at least %s of %s".formatted(way.text(), Report.percent(least), way.bare().text()),
            Report.percent(rate));
  }

  private static double rate(Contest contest, FenceWay way) {
    return contest.perSecond(way.text()) / contest.perSecond(way.bare().text());
  }

  private Measured counted(FenceWay way) throws Exception {
    Spent before = Spent.soFar(stage.postgres(), 0);
    Measured measured = together(way);
    Spent after = Spent.soFar(stage.postgres(), measured.count());
    spent.merge(way, after.since(before), Spent::plus);
    return measured;
  }

  /** The resources that these updates have used. */
  private record Spent(long updates, long multixacts, Duration processor) {
    static final Spent NOTHING = new Spent(0, 0, Duration.ZERO);

    static Spent soFar(PostgresServer postgres, long updates) throws SQLException {
      Duration own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
      return new Spent(updates, postgres.multixacts(), own.plus(postgres.processorTime()));
    }

    Spent since(Spent other) {
      return new Spent(
          updates - other.updates, multixacts - other.multixacts, processor.minus(other.processor));
    }

    Spent plus(Spent other) {
      return new Spent(
          updates + other.updates, multixacts + other.multixacts, processor.plus(other.processor));
    }

    double microsAnUpdate() {
      return processor.toNanos() / 1_000.0 / Math.max(1, updates);
    }

    double multixactsAnUpdate() {
      return (double) multixacts / Math.max(1, updates);
    }
  }

  /** Many short rounds, so that other load on the machine affects all contestants alike. */
  private Stage inShortRounds() {
    Settings settings = stage.settings();
    return new Stage(
        settings
            .withRounds(settings.rounds() * SHORTER)
            .lasting(settings.round().dividedBy(SHORTER), settings.share()),
        stage.postgres(),
        stage.report());
  }

  private Measured together(FenceWay way) throws Exception {
    return Load.run(
        FencedRows.CONNECTIONS, inShortRounds().settings().round(), caller -> update(way, caller));
  }

  /**
   * Counted after the rounds, because counting needs a checkpoint, which would disturb a
   * contestant.
   */
  private void reportMembers() throws Exception {
    long membersBefore = stage.postgres().multixactMembers();
    long before = stage.postgres().multixacts();
    Measured unused = together(FenceWay.CHANGE);
    long made = stage.postgres().multixacts() - before;
    long members = stage.postgres().multixactMembers() - membersBefore;
    stage
        .report()
        .note(
            "A multixact of changes at effect named %s transactions on average (%d in %d)."
                .formatted(Report.number((double) members / Math.max(1, made)), members, made));
  }
}
