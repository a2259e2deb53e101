package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.sqlite.SQLiteCommitListener;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite in a process with 64 callers, compared with the file's rate for transactions of the same
 * size.
 */
final class SqliteCase {
  private static final double LEAST = 0.5;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;

  /** Created beforehand, because creating a key costs as much as changing its row. */
  private static final List<LeaseKey> KEYS = Keys.of("lock/embedded", 0, DistinctCase.CALLERS);

  private static final String DURABILITY = "fsync at each commit (WAL, synchronous=FULL)";
  private static final int SYNCHRONOUS_FULL = 2;
  private static final String OURS = "Leasehold";
  private static final String BARE = "bare: one transaction of as many rows";
  private static final String BARE_ONE = "bare: one row a commit";

  private SqliteCase() {}

  static void run(Stage stage) throws Exception {
    Path folder = Files.createTempDirectory("leasehold-benchmark");
    try {
      run(stage, new CountingSource(folder.resolve("leases.db")));
    } finally {
      delete(folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }

  private static void run(Stage stage, CountingSource source) throws Exception {
    Settings settings = stage.settings();
    try (LeaseLocks ours =
        new LeaseLocks(JdbcStore.on(source).migrate().open().leases(), Duration.ZERO)) {
      Measured unused = load(settings, ours);
      long before = source.commits.get();
      Measured counted = load(settings, ours);
      double commands = 2.0 * counted.count() / Math.max(1, source.commits.get() - before);
      int size = (int) Math.max(1, Math.round(commands));
      try (Bare bare = new Bare(source.getConnection())) {
        Contest contest =
            new Contest(stage)
                .enter(OURS, () -> load(settings, ours))
                .enter(BARE, () -> pairs(settings, bare, size))
                .enter(BARE_ONE, () -> pairs(settings, bare, 1))
                .run();
        report(stage.report(), contest, commands);
      }
    }
  }

  private static Measured load(Settings settings, LeaseLocks ours) throws Exception {
    return Load.run(
        DistinctCase.CALLERS,
        settings.round(),
        caller -> ours.whileHeld(KEYS.get(caller).text(), () -> {}));
  }

  private static Measured pairs(Settings settings, Bare bare, int size) throws Exception {
    Measured commits = Load.repeat(settings.round(), () -> bare.change(size));
    return Measured.counted(commits.count() * size / 2, commits.elapsedNanos());
  }

  private static void report(Report report, Contest contest, double commands) {
    report.title("64 callers, distinct keys, acquire and release, SQLite");
    report.header("what", "pairs a second", "of the bare limit", "p50 ms", "p99 ms", "durability");
    for (String name : List.of(OURS, BARE, BARE_ONE)) {
      boolean ours = name.equals(OURS);
      report.row(
          name,
          contest.failureOf(name).orElse(Report.number(contest.perSecond(name))),
          Report.percent(contest.perSecond(name) / contest.perSecond(BARE)),
          ours ? Report.number(contest.quantileMillis(name, HALF)) : "",
          ours ? Report.number(contest.quantileMillis(name, TAIL)) : "",
          DURABILITY);
    }
    report.note("A transaction had %s commands.".formatted(Report.number(commands)));
    double part = contest.perSecond(OURS) / contest.perSecond(BARE);
    report.target(
        part >= LEAST, "at least 50 % of its own bare batched limit", Report.percent(part));
  }

  /** Counts the committed transactions, and checks that each of them is on disk. */
  private static final class CountingSource extends SQLiteDataSource {
    private static final long serialVersionUID = 1L;
    private final transient AtomicLong commits = new AtomicLong();

    CountingSource(Path file) {
      super(config());
      setUrl("jdbc:sqlite:" + file);
    }

    private static SQLiteConfig config() {
      SQLiteConfig config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      return config;
    }

    @Override
    public SQLiteConnection getConnection(String user, String password) throws SQLException {
      SQLiteConnection connection = super.getConnection(user, password);
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("PRAGMA synchronous")) {
        if (!rows.next() || rows.getInt(1) < SYNCHRONOUS_FULL) {
          throw new IllegalStateException("commits are not on disk: nothing here would be true");
        }
      }
      connection.addCommitListener(
          new SQLiteCommitListener() {
            @Override
            public void onCommit() {
              commits.incrementAndGet();
            }

            @Override
            public void onRollback() {}
          });
      return connection;
    }
  }

  /** The raw limit: the same rows in a table of the same shape, changed without any check. */
  private static final class Bare implements AutoCloseable {
    private final Connection connection;
    private final PreparedStatement update;
    private int next;
    private long value;

    Bare(Connection connection) throws SQLException {
      this.connection = connection;
      try (Statement statement = connection.createStatement()) {
        statement.execute(definition(statement).replace("leasehold_lease", "bare_lease"));
        statement.execute("INSERT INTO bare_lease SELECT * FROM leasehold_lease");
      }
      connection.setAutoCommit(false);
      this.update =
          connection.prepareStatement(
              """
              UPDATE bare_lease SET renewed_at = ?, expires_at = ?, written_at = ?
               WHERE bucket = ? AND key = ?
              """);
    }

    private static String definition(Statement statement) throws SQLException {
      try (ResultSet rows =
          statement.executeQuery("SELECT sql FROM sqlite_master WHERE name = 'leasehold_lease'")) {
        return rows.getString(1);
      }
    }

    void change(int size) throws SQLException {
      for (int i = 0; i < size; i++) {
        LeaseKey key = KEYS.get(next);
        next = (next + 1) % KEYS.size();
        value++;
        update.setLong(1, value);
        update.setLong(2, value);
        update.setLong(3, value);
        update.setInt(4, Buckets.of(key));
        update.setString(5, key.text());
        if (update.executeUpdate() != 1) {
          throw new IllegalStateException("no row was changed");
        }
      }
      connection.commit();
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }
}
