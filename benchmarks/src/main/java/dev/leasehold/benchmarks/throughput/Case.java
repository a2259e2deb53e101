package dev.leasehold.benchmarks.throughput;

import java.util.Locale;

/** The measurements, each with its target. */
enum Case {
  ALONE(AloneCase::run),
  DISTINCT(DistinctCase::run),
  RENEW(RenewCase::run),
  HOT(HotCase::run),
  BURST(BurstCase::run),
  TAKEOVER(TakeoverCase::run),
  SQLITE(SqliteCase::run),
  FENCES(FencesCase::run),
  LEADER(LeaderCase::run),
  OBJECTS(ObjectsCase::run),
  SERVER(ServerCase::run);

  interface Run {
    void run(Stage stage) throws Exception;
  }

  @SuppressWarnings("ImmutableEnumChecker") // a method without state, but its type cannot say so
  private final Run run;

  Case(Run run) {
    this.run = run;
  }

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  void run(Stage stage) throws Exception {
    run.run(stage);
  }
}
