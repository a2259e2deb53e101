package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One process keeps 50,000 leases: their renewals, in the batches that the keeper sends. */
final class RenewCase {
  private static final int LEASES = 50_000;
  private static final int FEWEST = 2_000;
  private static final int BATCH = 1_000;
  private static final double LEAST = 0.6;
  private static final Duration TTL = Duration.ofHours(1);
  private static final String PREFIX = "shard/renewed";
  private static final String OURS = "Leasehold, batches of 1,000";
  private static final String ONE = "Leasehold, one by one";
  private static final String BARE = "bare: arrays of 1,000, 1 connection";
  private static final String BARE_ONE = "bare: one row a commit, 1 connection";

  private final Stage stage;
  private final JdbcStore store;
  private final Instance self = Instance.random();
  private final List<Command> renewals = new ArrayList<>();
  private int next;

  private RenewCase(Stage stage, JdbcStore store) {
    this.stage = stage;
    this.store = store;
  }

  static void run(Stage stage) throws Exception {
    Contest contest;
    try (JdbcStore store = JdbcStore.at(stage.postgres().url()).migrate().open()) {
      contest = new RenewCase(stage, store).measure();
    }
    // The server's backends have reported their counts by now, since their connections are closed.
    report(stage, contest);
  }

  private Contest measure() throws Exception {
    Settings settings = stage.settings();
    int leases = settings.share(LEASES, FEWEST);
    acquire(leases);
    BareRows.create(stage.postgres());
    stage.postgres().run("SELECT pg_stat_reset()");
    try (BareRows bare = new BareRows(stage.postgres().connect(), Keys.of(PREFIX, 0, leases))) {
      return new Contest(stage)
          .enter(OURS, () -> rows(renewAll()))
          .enter(
              BARE,
              () -> {
                long begun = Load.now();
                for (int i = 0; i < leases / BATCH; i++) {
                  bare.changeMany(BATCH);
                }
                return Measured.counted((long) leases / BATCH * BATCH, Load.now() - begun);
              })
          .enter(
              ONE,
              () -> Load.repeat(settings.round(), () -> renew(List.of(renewals.get(nextNumber())))))
          .enter(BARE_ONE, () -> Load.repeat(settings.round(), bare::changeOne))
          .run();
    }
  }

  private int nextNumber() {
    next = (next + 1) % renewals.size();
    return next;
  }

  private static Measured rows(Measured batches) {
    return Measured.counted((long) batches.count() * BATCH, batches.elapsedNanos());
  }

  private void acquire(int leases) {
    for (int from = 0; from < leases; from += BATCH) {
      List<Command> batch = new ArrayList<>();
      for (LeaseKey key : Keys.of(PREFIX, from, BATCH)) {
        batch.add(
            Command.Acquire.of(key, self, new RequestId(key.text()), Terms.of("benchmark", TTL)));
      }
      for (Outcome outcome : store.leases().apply(batch).toCompletableFuture().join()) {
        if (!(outcome instanceof Outcome.Granted granted)) {
          throw new IllegalStateException("not granted: " + outcome);
        }
        LeaseKey key = batch.get(renewals.size() - from).key();
        renewals.add(Command.Renew.of(key, granted.grant().token(), self));
      }
    }
  }

  /** Like the keeper when all are due: all batches are in flight at once, on the store's lane. */
  private Measured renewAll() {
    long begun = Load.now();
    List<CompletableFuture<List<Outcome>>> sent = new ArrayList<>();
    for (int from = 0; from < renewals.size(); from += BATCH) {
      sent.add(store.leases().apply(renewals.subList(from, from + BATCH)).toCompletableFuture());
    }
    sent.forEach(one -> requireRenewed(one.join()));
    return Measured.counted(sent.size(), Load.now() - begun);
  }

  private void renew(List<Command> batch) {
    requireRenewed(store.leases().apply(batch).toCompletableFuture().join());
  }

  private static void requireRenewed(List<Outcome> outcomes) {
    if (!outcomes.stream().allMatch(Outcome.Renewed.class::isInstance)) {
      throw new IllegalStateException("not all are renewed");
    }
  }

  private static void report(Stage stage, Contest contest) throws SQLException {
    Report report = stage.report();
    report.title(
        "Renewing %,d leases of one process, PostgreSQL"
            .formatted(stage.settings().share(LEASES, FEWEST)));
    report.header("what", "renewals a second", "of the bare array limit", "durability");
    for (String name : List.of(OURS, BARE, ONE, BARE_ONE)) {
      report.row(
          name,
          contest.failureOf(name).orElse(Report.number(contest.perSecond(name))),
          Report.percent(contest.perSecond(name) / contest.perSecond(BARE)),
          PostgresServer.DURABILITY);
    }
    double part = contest.perSecond(OURS) / contest.perSecond(BARE);
    report.target(part >= LEAST, "at least 60 % of the bare array limit", Report.percent(part));
    report.note(
        stage
            .postgres()
            .ask(
                """
                SELECT format('HOT updates of leasehold_lease by pg_stat_user_tables: '
                              || '%s of %s (%s %%).', n_tup_hot_upd, n_tup_upd,
                              round(100.0 * n_tup_hot_upd / greatest(n_tup_upd, 1), 2))
                  FROM pg_stat_user_tables
                 WHERE relname = 'leasehold_lease'
                """));
  }
}
