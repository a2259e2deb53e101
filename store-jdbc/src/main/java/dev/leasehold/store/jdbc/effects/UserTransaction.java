package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.Optional;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * Runs the store's statements in a user's transaction. They do not end it, and leave the settings
 * of its connection unchanged.
 */
record UserTransaction(Connection connection, Namespace namespace) {

  /**
   * What a check needs beside the claim.
   *
   * @param storeId empty: the check fails, because the store is refused
   * @param trustLeft empty: the claim is refused, because its holder may not trust it
   */
  record CheckRequest(Optional<String> storeId, Optional<Duration> trustLeft) {}

  static UserTransaction on(Connection connection, Namespace namespace) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the check locks until its transaction ends, and this connection ends it at once: call"
              + " setAutoCommit(false), check, change and commit");
    }
    return new UserTransaction(connection, namespace);
  }

  /** Returns, or fails inside the statement, so that the server has aborted the transaction. */
  void checkOrAbort(Claim claim, CheckRequest request) throws SQLException {
    Optional<PGConnection> driver = driver();
    AutoSave before = driver.map(PGConnection::getAutosave).orElse(AutoSave.NEVER);
    // If the driver set a savepoint before the statement, it would undo the failure.
    driver.ifPresent(pg -> pg.setAutosave(AutoSave.NEVER));
    try (PreparedStatement statement =
        connection.prepareStatement(namespace.sql("check-in-transaction"))) {
      statement.setInt(1, Buckets.of(claim.key()));
      int next = bindClaim(statement, 2, claim);
      setOrNull(statement, next, request.storeId());
      setOrNull(statement, next + 1, request.trustLeft().map(UserTransaction::limit));
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw StoreUnusableException.unmigrated();
        }
      }
    } finally {
      driver.ifPresent(pg -> pg.setAutosave(before));
    }
  }

  private Optional<PGConnection> driver() throws SQLException {
    return connection.isWrapperFor(PGConnection.class)
        ? Optional.of(connection.unwrap(PGConnection.class))
        : Optional.empty();
  }

  /** The format of both the server's settings and its intervals; 0 would mean no limit. */
  static String limit(Duration trustLeft) {
    return Math.clamp(trustLeft.toMillis(), 1, Integer.MAX_VALUE) + "ms";
  }

  /** Sets key, token and instance id; returns the number of the next parameter. */
  static int bindClaim(PreparedStatement statement, int from, Claim claim) throws SQLException {
    statement.setString(from, claim.key().text());
    statement.setLong(from + 1, claim.token().value());
    setOrNull(statement, from + 2, claim.instanceId());
    return from + 3;
  }

  private static void setOrNull(PreparedStatement statement, int at, Optional<String> text)
      throws SQLException {
    if (text.isPresent()) {
      statement.setString(at, text.get());
    } else {
      statement.setNull(at, Types.VARCHAR);
    }
  }

  /** For databases where a failure does not abort: takes the write lock, and reads the lease. */
  CurrentRow lockAndSee(Claim claim) throws SQLException {
    execute("take-write-lock");
    int bucket = Buckets.of(claim.key());
    return look("check-current", bucket, claim.key().text(), bucket);
  }

  /** Reads the lease without a lock. */
  CurrentRow see(Claim claim) throws SQLException {
    return look("explain-current", Buckets.of(claim.key()), claim.key().text());
  }

  private CurrentRow look(String name, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(namespace.sql(name))) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        if (!rows.next()) {
          throw StoreUnusableException.unmigrated();
        }
        return CurrentRow.read(rows);
      }
    }
  }

  void bring(Claim... claims) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(namespace.sql("bring"))) {
      for (Claim claim : claims) {
        int unused = bindClaim(statement, 1, claim);
        boolean unusedToo = statement.execute();
      }
    }
  }

  void execute(String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(namespace.sql(name))) {
      boolean unused = statement.execute();
    }
  }
}
