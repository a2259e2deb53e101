package dev.leasehold.store.jdbc.opening;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/** Asks a database what it is like, and changes nothing. */
public final class Examiner {
  private final InstantSource wallClock;

  public Examiner(InstantSource wallClock) {
    this.wallClock = wallClock;
  }

  public DatabaseFacts examine(Session session) throws SQLException {
    Dialect dialect = session.dialect();
    long unused = clock(session); // prepares the statement, which the round trip is not to count
    long began = Ticker.system().nanos();
    long before = wallClock.millis();
    long database = clock(session);
    long after = wallClock.millis();
    long roundTrip = Ticker.system().nanos() - began;
    DatabaseFacts.Schema schema = schema(session, dialect);
    OptionalLong lastWrite =
        schema.state() instanceof SchemaState.Missing ? OptionalLong.empty() : lastWrite(session);
    return new DatabaseFacts(
        product(session, dialect),
        roundTrip,
        new DatabaseFacts.Clock(database, before, after, lastWrite),
        settings(session, dialect),
        schema);
  }

  private static long clock(Session session) throws SQLException {
    return session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
  }

  private static OptionalLong lastWrite(Session session) throws SQLException {
    return session.query(
        rows -> {
          long millis = rows.next() ? rows.getLong(1) : 0L;
          return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(millis);
        },
        "last-write");
  }

  private static String product(Session session, Dialect dialect) throws SQLException {
    DatabaseMetaData data = session.connection().getMetaData();
    return dialect == Dialect.COCKROACHDB
        ? "CockroachDB"
        : data.getDatabaseProductName() + " " + data.getDatabaseProductVersion();
  }

  private static DatabaseFacts.Settings settings(Session session, Dialect dialect)
      throws SQLException {
    return switch (dialect) {
      case SQLITE ->
          new DatabaseFacts.Sqlite(
              session.query(rows -> rows.next() ? rows.getString(1) : "", "journal-mode-now"),
              session.query(rows -> rows.next() ? rows.getInt(1) : 0, "synchronous-now"));
      case POSTGRESQL -> postgres(session);
      case COCKROACHDB -> new DatabaseFacts.Cockroach();
    };
  }

  private static DatabaseFacts.Settings postgres(Session session) throws SQLException {
    return session.query(
        rows -> {
          if (!rows.next()) {
            throw new StoreUnusableException("PostgreSQL does not say how it is set up");
          }
          return new DatabaseFacts.Postgres(
              rows.getBoolean(2),
              rows.getString(3).equals("on"),
              rows.getString(4),
              rows.getString(5),
              rows.getString(6));
        },
        "settings");
  }

  private static DatabaseFacts.Schema schema(Session session, Dialect dialect) throws SQLException {
    SchemaState state = new Migrations(dialect).state(session);
    List<String> pending =
        switch (state) {
          case SchemaState.Missing missing -> Migrations.after(0);
          case SchemaState.Behind behind -> Migrations.after(behind.version());
          case SchemaState.Current current -> List.of();
          case SchemaState.TooNew tooNew -> List.of();
        };
    return new DatabaseFacts.Schema(state, pending);
  }
}
