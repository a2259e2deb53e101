package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The raw limit: rows like the leases', of the same width in a table of the same shape, changed by
 * statements that check nothing. One connection.
 */
final class BareRows implements AutoCloseable {
  private static final String ONE =
      """
      UPDATE bare_lease SET renewed_at = ?, expires_at = ?, written_at = ?
       WHERE bucket = ? AND key = ?
      """;

  private static final String MANY =
      """
      UPDATE bare_lease l
         SET renewed_at = a.at, expires_at = a.at, written_at = a.at
        FROM unnest(?::integer[], ?::text[], ?::bigint[]) AS a (bucket, key, at)
       WHERE l.bucket = a.bucket AND l.key = a.key
      """;

  private final Connection connection;
  private final List<LeaseKey> keys;
  private final PreparedStatement one;
  private final PreparedStatement many;
  private int next;
  private long value;

  BareRows(Connection connection, List<LeaseKey> keys) throws SQLException {
    this.connection = connection;
    this.keys = keys;
    this.one = connection.prepareStatement(ONE);
    this.many = connection.prepareStatement(MANY);
  }

  /** A table like the leases', with a row for each of them. */
  static void create(PostgresServer postgres) throws SQLException {
    postgres.run(
        """
        DROP TABLE IF EXISTS bare_lease;
        CREATE TABLE bare_lease (LIKE leasehold_lease INCLUDING ALL)
          WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02,
                autovacuum_vacuum_threshold = 1000);
        INSERT INTO bare_lease SELECT * FROM leasehold_lease
        """);
    postgres.run("VACUUM ANALYZE bare_lease");
    postgres.run("VACUUM ANALYZE leasehold_lease");
  }

  /** Changes one row in its own transaction. */
  void changeOne() throws SQLException {
    LeaseKey key = keys.get(next);
    next = (next + 1) % keys.size();
    value++;
    one.setLong(1, value);
    one.setLong(2, value);
    one.setLong(3, value);
    one.setInt(4, Buckets.of(key));
    one.setString(5, key.text());
    require(one.executeUpdate(), 1);
  }

  /** Changes this many rows in one statement, which is one transaction. */
  void changeMany(int size) throws SQLException {
    Object[] buckets = new Object[size];
    Object[] texts = new Object[size];
    Object[] values = new Object[size];
    for (int i = 0; i < size; i++) {
      LeaseKey key = keys.get(next);
      next = (next + 1) % keys.size();
      buckets[i] = Buckets.of(key);
      texts[i] = key.text();
      values[i] = ++value;
    }
    many.setArray(1, connection.createArrayOf("int4", buckets));
    many.setArray(2, connection.createArrayOf("text", texts));
    many.setArray(3, connection.createArrayOf("int8", values));
    require(many.executeUpdate(), size);
  }

  private static void require(int changed, int expected) {
    if (changed != expected) {
      throw new IllegalStateException(changed + " rows were changed, not " + expected);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
