package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Dialect.Guarding;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Guarded tables: triggers on users' tables, in the database of the leases, that refuse every
 * change without the current token of its row's lease. {@link AtEffect} brings that token.
 *
 * <p>On PostgreSQL no role passes by default, not even the owner of the table; but a role that may
 * disable triggers can disable these. On SQLite the triggers stop code that forgot the token, but
 * not {@code REPLACE}, which deletes without firing triggers, and not code that writes to {@code
 * leasehold_brought}.
 */
public final class Guards {
  private static final String UNFIT = "LH010";
  private static final String NOT_OWNER = "LH011";
  private static final String NO_PRIVILEGE = "42501";

  private final Dialect dialect;
  private final Engine engine;

  public Guards(Dialect dialect, Engine engine) {
    this.dialect = dialect;
    this.engine = engine;
  }

  /**
   * Guards a table, its partitions and the tables that inherit from it. Installing the same guard
   * again adds the triggers that are missing by then.
   *
   * @return fails with {@link IllFormedException} if the table cannot be guarded, and with {@link
   *     GuardNotAllowedException} if this user may not change it
   */
  public CompletionStage<Guard> install(Guard guard) {
    return changing(
        connection -> {
          if (dialect.guarding() == Guarding.BY_TEXT) {
            new SqliteGuard(connection, guard.table()).install(guard);
          } else {
            boolean unused =
                connection.query(
                    ResultSet::next,
                    "guard-install",
                    guard.table(),
                    orNull(guard.column()),
                    orNull(guard.fixedKey()),
                    orNull(guard.maintenanceRole()));
          }
          return guard;
        });
  }

  private static @Nullable String orNull(Optional<String> text) {
    return text.orElse(null);
  }

  /** Removes everything that the guard of this table has installed. */
  public CompletionStage<String> remove(String table) {
    return changing(
        connection -> {
          if (dialect.guarding() == Guarding.BY_TEXT) {
            new SqliteGuard(connection, table).remove();
          } else {
            boolean unused = connection.query(ResultSet::next, "guard-remove", table);
          }
          return table;
        });
  }

  private <T> CompletionStage<T> changing(ConnectionWork<T> work) {
    return engine.transact(
        connection -> {
          requireTriggers();
          connection.unpin();
          try {
            return work.run(connection);
          } catch (SQLException e) {
            throw explained(e);
          }
        });
  }

  private void requireTriggers() {
    if (dialect.guarding() == Guarding.NOT_AT_ALL) {
      throw new IllFormedException(
          "tables can be guarded on PostgreSQL and SQLite, not on CockroachDB: check at effect, or"
              + " keep a mark");
    }
  }

  /** Without the driver's own exception, whose content is in the sentence. */
  private static SQLException explained(SQLException failure) {
    String sentence = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    String text = sentence.startsWith("ERROR: ") ? sentence.substring(7) : sentence;
    String state = String.valueOf(failure.getSQLState());
    if (state.equals(UNFIT)) {
      throw new IllFormedException(text);
    }
    if (state.equals(NOT_OWNER) || state.equals(NO_PRIVILEGE)) {
      throw new GuardNotAllowedException(text);
    }
    return failure;
  }

  /** All guards of this database. */
  public CompletionStage<List<Guard>> list() {
    return reading("guards", Guards::guard);
  }

  static Guard guard(ResultSet row) throws SQLException {
    String column = row.getString(2);
    Guard.Keys keys =
        column == null
            ? new Guard.Keys.Fixed(new LeaseKey(row.getString(3)))
            : new Guard.Keys.Column(column);
    return new Guard(row.getString(1), keys, Optional.ofNullable(row.getString(4)));
  }

  /** Ways around guards that are open now: triggers missing or disabled, tables left out. */
  public CompletionStage<List<GuardHole>> holes() {
    return reading("guard-holes", row -> new GuardHole(row.getString(1), row.getString(2)));
  }

  /** The latest 100 transactions that passed for maintenance, newest first. */
  public CompletionStage<List<GuardPass>> passes() {
    return reading(
        "guard-passes",
        row ->
            new GuardPass(
                row.getString(1),
                Instant.ofEpochMilli(row.getLong(2)),
                row.getString(3),
                row.getString(4)));
  }

  /** Table names are resolved along the user's search path. */
  private <T> CompletionStage<List<T>> reading(String name, StoreConnection.Reading<T> reading) {
    return engine.read(connection -> connection.onUsersPath(s -> s.list(reading, name)));
  }
}
