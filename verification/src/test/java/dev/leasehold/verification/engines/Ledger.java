package dev.leasehold.verification.engines;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.testkit.history.TargetEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Three targets in a database: one behind a high-water mark, one whose check and change are one
 * transaction with the lease's own row, and one without a fence, as the control. Each writes its
 * own log. For one thread at a time.
 */
public final class Ledger implements AutoCloseable {
  /** The target of a change. */
  public enum Target {
    FENCED,
    AT_EFFECT,
    UNFENCED;

    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private final Database database;
  private Optional<Connection> kept = Optional.empty();

  public Ledger(Database database) {
    this.database = database;
  }

  /** From now on a lower token is refused. */
  public boolean seal(Claim claim, long nanos) throws SQLException {
    return !write(Target.FENCED, claim, "sealed", nanos).equals("refused");
  }

  /** Whether the target took the change. */
  public boolean change(Target target, Claim claim, long nanos) throws SQLException {
    return !write(target, claim, "changed", nanos).equals("refused");
  }

  private String write(Target target, Claim claim, String action, long nanos) throws SQLException {
    if (kept.isEmpty()) {
      kept = Optional.of(database.connect());
    }
    boolean usable = false;
    try {
      Connection connection = kept.get();
      String done =
          database.isSqlite()
              ? onSqlite(connection, target, claim, new Action(action, nanos))
              : onServer(connection, target, claim, new Action(action, nanos));
      usable = true;
      return done;
    } finally {
      if (!usable) {
        close();
      }
    }
  }

  private record Action(String text, long nanos) {}

  private static String onServer(Connection connection, Target target, Claim claim, Action action)
      throws SQLException {
    String key = claim.key().text();
    long token = claim.token().value();
    return switch (target) {
      case FENCED ->
          one(connection, "SELECT test_fenced(?, ?, ?, ?)", key, token, action.text, action.nanos);
      case UNFENCED -> one(connection, "SELECT test_unfenced(?, ?, ?)", key, token, action.nanos);
      case AT_EFFECT ->
          one(
              connection,
              "SELECT test_at_effect(?, ?, ?, ?)",
              Buckets.of(claim.key()),
              key,
              token,
              action.nanos);
    };
  }

  private static String one(Connection connection, String sql, Object... values)
      throws SQLException {
    return Database.query(connection, row -> row.getString(1), sql, values).getFirst();
  }

  /** Holds the file's single write lock from the check to the change. */
  private static String onSqlite(Connection connection, Target target, Claim claim, Action action)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("PRAGMA busy_timeout = 10000");
      statement.execute("BEGIN IMMEDIATE");
      boolean committed = false;
      try {
        String done = admits(connection, target, claim) ? action.text : "refused";
        if (target == Target.AT_EFFECT && !done.equals("refused")) {
          done = "at-effect";
        }
        insert(connection, target, claim, new Action(done, action.nanos));
        statement.execute("COMMIT");
        committed = true;
        return done;
      } finally {
        if (!committed) {
          statement.execute("ROLLBACK");
        }
      }
    }
  }

  private static boolean admits(Connection connection, Target target, Claim claim)
      throws SQLException {
    String key = claim.key().text();
    long token = claim.token().value();
    return switch (target) {
      case UNFENCED -> true;
      case FENCED ->
          !Database.query(
                  connection,
                  row -> row.getLong(1),
                  """
                  INSERT INTO test_mark VALUES (?, ?)
                  ON CONFLICT (key) DO UPDATE SET token = excluded.token
                   WHERE test_mark.token <= excluded.token RETURNING token
                  """,
                  key,
                  token)
              .isEmpty();
      case AT_EFFECT ->
          !Database.query(
                  connection,
                  row -> row.getLong(1),
                  """
                  SELECT 1 FROM leasehold_lease l CROSS JOIN leasehold_store s
                   WHERE l.bucket = ? AND l.key = ? AND l.grant_token = ? AND l.standing < 2
                     AND l.grant_token >> 40 >= s.incarnation
                  """,
                  Buckets.of(claim.key()),
                  key,
                  token)
              .isEmpty();
    };
  }

  private static void insert(Connection connection, Target target, Claim claim, Action action)
      throws SQLException {
    String key = claim.key().text();
    List<Long> unused =
        Database.query(
            connection,
            row -> row.getLong(1),
            """
            INSERT INTO test_target (target, key, token, action, after_seq, nanos)
            SELECT ?, ?, ?, ?, coalesce(max(j.seq), 0), ? FROM test_journal j WHERE j.key = ?
            RETURNING seq
            """,
            target.text(),
            key,
            claim.token().value(),
            action.text,
            action.nanos,
            key);
  }

  /** The target's own log. */
  public static List<TargetEvent> events(Database database, Target target) {
    return database.query(
        row ->
            new TargetEvent(
                target.text(),
                new LeaseKey(row.getString("key")),
                new Token(row.getLong("token")),
                row.getLong("seq"),
                row.getLong("nanos"),
                action(row.getString("action"), row.getLong("after_seq"))),
        "SELECT * FROM test_target WHERE target = ? ORDER BY seq",
        target.text());
  }

  private static TargetEvent.Action action(String text, long afterSequence) {
    return switch (text) {
      case "sealed" -> new TargetEvent.Sealed();
      case "changed" -> new TargetEvent.Changed();
      case "at-effect" -> new TargetEvent.ChangedAtEffect(afterSequence);
      case "refused" -> new TargetEvent.Refused();
      default -> throw new IllegalStateException("a target cannot do this: " + text);
    };
  }

  @Override
  public void close() throws SQLException {
    Optional<Connection> open = kept;
    kept = Optional.empty();
    if (open.isPresent()) {
      open.get().close();
    }
  }
}
