package dev.leasehold.store.jdbc.status;

import java.util.List;
import java.util.OptionalLong;

/**
 * The properties of a database that decide whether leases are safe in it.
 *
 * @param product its name and version
 * @param roundTripNanos the time of a query without any work
 */
public record DatabaseFacts(
    String product, long roundTripNanos, Clock clock, Settings settings, Schema schema) {

  /**
   * The database's clock, compared with this machine's.
   *
   * @param beforeMillis this machine's clock before the query
   * @param afterMillis this machine's clock after the answer
   * @param lastWriteMillis the latest recorded time; the database's clock must not be behind it
   */
  public record Clock(
      long databaseMillis, long beforeMillis, long afterMillis, OptionalLong lastWriteMillis) {}

  /**
   * The same for a file on which no store was opened: a plain connection has other settings than a
   * store's.
   */
  public DatabaseFacts unopened() {
    return settings instanceof Sqlite sqlite
        ? new DatabaseFacts(
            product, roundTripNanos, clock, new UnopenedSqlite(sqlite.journalMode()), schema)
        : this;
  }

  /**
   * The settings that decide whether a commit survives a crash, and whether the database can be
   * written.
   */
  public sealed interface Settings {}

  /** The settings of a store's connection to the file; {@code synchronous} 2 means FULL. */
  public record Sqlite(String journalMode, int synchronous) implements Settings {}

  /** The settings of a file on which no store was opened; a store sets its own. */
  public record UnopenedSqlite(String journalMode) implements Settings {}

  /** The settings of a connection. */
  public record Postgres(
      boolean replica,
      boolean readOnly,
      String fsync,
      String synchronousCommit,
      String fullPageWrites)
      implements Settings {}

  /** A cluster, which has no such settings. */
  public record Cockroach() implements Settings {}

  /**
   * The leases' tables.
   *
   * @param pending the missing steps, in order
   */
  public record Schema(SchemaState state, List<String> pending) {
    public Schema {
      pending = List.copyOf(pending);
    }
  }
}
