package dev.leasehold.benchmarks.throughput;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * The raw limit: objects in a table of the same shape, with the single statements of an application
 * that needs only a version. One connection.
 */
final class BareObjects implements AutoCloseable {
  private static final String PUT =
      """
      INSERT INTO bare_object (type, id, version, created_at, updated_at, payload)
      VALUES ('row', ?, 1, now(), now(), ?)
      ON CONFLICT (type, id) DO UPDATE
        SET version = bare_object.version + 1, updated_at = now(), payload = excluded.payload
      """;
  private static final String GET =
      "SELECT version, created_at, updated_at, payload FROM bare_object WHERE type = 'row' AND id ="
          + " ?";
  private static final String REPLACE =
      """
      UPDATE bare_object SET version = version + 1, updated_at = now(), payload = ?
       WHERE type = 'row' AND id = ? AND version = ?
      """;

  private final Connection connection;
  private final PreparedStatement put;
  private final PreparedStatement get;
  private final PreparedStatement replace;

  BareObjects(Connection connection) throws SQLException {
    this.connection = connection;
    this.put = connection.prepareStatement(PUT);
    this.get = connection.prepareStatement(GET);
    this.replace = connection.prepareStatement(REPLACE);
  }

  static void create(PostgresServer postgres) throws SQLException {
    postgres.run(
        """
        CREATE TABLE IF NOT EXISTS bare_object (
          type text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL, version bigint NOT NULL,
          created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL, payload bytea NOT NULL,
          PRIMARY KEY (type, id)) WITH (fillfactor = 50)
        """);
  }

  void put(String id, byte[] payload) throws SQLException {
    put.setString(1, id);
    put.setBytes(2, payload);
    requireOne(put.executeUpdate());
  }

  /** Returns the version. */
  long get(String id) throws SQLException {
    get.setString(1, id);
    try (ResultSet row = get.executeQuery()) {
      if (!row.next() || row.getBytes(4).length == 0) {
        throw new IllegalStateException("there is no " + id);
      }
      return row.getLong(1);
    }
  }

  void replace(String id, long version, byte[] payload) throws SQLException {
    replace.setBytes(1, payload);
    replace.setString(2, id);
    replace.setLong(3, version);
    requireOne(replace.executeUpdate());
  }

  private static void requireOne(int rows) {
    if (rows != 1) {
      throw new IllegalStateException(rows + " rows, not 1");
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
