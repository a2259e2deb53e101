package dev.leasehold.store.jdbc.status;

import java.util.List;
import java.util.OptionalLong;

/**
 * What a database says of itself, for whoever wants to know whether leases are safe in it.
 *
 * @param product its name and version
 * @param roundTripNanos how long it took for a question without any work
 */
public record DatabaseFacts(
    String product, long roundTripNanos, Clock clock, Settings settings, Schema schema) {

  /**
   * The database's clock beside this machine's.
   *
   * @param beforeMillis this machine's, before the database was asked
   * @param afterMillis this machine's, after it has answered
   * @param lastWriteMillis the latest time on record, which the clock must not be behind
   */
  public record Clock(
      long databaseMillis, long beforeMillis, long afterMillis, OptionalLong lastWriteMillis) {}

  /** The same, of a file that no store was opened on: a bare connection has other settings. */
  public DatabaseFacts unopened() {
    return settings instanceof Sqlite sqlite
        ? new DatabaseFacts(
            product, roundTripNanos, clock, new UnopenedSqlite(sqlite.journalMode()), schema)
        : this;
  }

  /** What decides whether a commit is still there after a crash, and whether there can be one. */
  public sealed interface Settings {}

  /** As a connection to the file has them; {@code synchronous} is 2 where it is FULL. */
  public record Sqlite(String journalMode, int synchronous) implements Settings {}

  /** A file that was looked at as it lies there; a store that is opened on it sets its own. */
  public record UnopenedSqlite(String journalMode) implements Settings {}

  /** As a session has them. */
  public record Postgres(
      boolean replica,
      boolean readOnly,
      String fsync,
      String synchronousCommit,
      String fullPageWrites)
      implements Settings {}

  /** A cluster that offers no choice of these. */
  public record Cockroach() implements Settings {}

  /**
   * The leases' tables.
   *
   * @param pending the steps that are missing, in order
   */
  public record Schema(SchemaState state, List<String> pending) {
    public Schema {
      pending = List.copyOf(pending);
    }
  }
}
