package dev.leasehold.store.jdbc.opening;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/** Reads the settings and state of a database, and changes nothing. */
public final class Examiner {
  private final InstantSource wallClock;

  public Examiner(InstantSource wallClock) {
    this.wallClock = wallClock;
  }

  public DatabaseFacts examine(StoreConnection connection) throws SQLException {
    Dialect dialect = connection.dialect();
    long unused = connection.number("clock"); // prepares the statement before the measurement
    long began = Ticker.system().nanos();
    long before = wallClock.millis();
    long database = connection.number("clock");
    long after = wallClock.millis();
    long roundTrip = Ticker.system().nanos() - began;
    DatabaseFacts.Schema schema = schema(connection, dialect);
    OptionalLong lastWrite =
        schema.state() instanceof SchemaState.Missing
            ? OptionalLong.empty()
            : lastWrite(connection);
    return new DatabaseFacts(
        dialect.product(connection.jdbc().getMetaData()),
        roundTrip,
        new DatabaseFacts.Clock(database, before, after, lastWrite),
        dialect.settings(connection),
        schema);
  }

  private static OptionalLong lastWrite(StoreConnection connection) throws SQLException {
    return connection.query(
        rows -> {
          long millis = rows.next() ? rows.getLong(1) : 0L;
          return rows.wasNull() ? OptionalLong.empty() : OptionalLong.of(millis);
        },
        "last-write");
  }

  private static DatabaseFacts.Schema schema(StoreConnection connection, Dialect dialect)
      throws SQLException {
    SchemaState state = new Migrations(dialect).state(connection);
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
