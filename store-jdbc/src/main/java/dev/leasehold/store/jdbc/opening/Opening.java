package dev.leasehold.store.jdbc.opening;

import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** What a database must be like before leases are kept in it. */
public final class Opening {
  private static final int OLDEST_POSTGRESQL = 13;
  private static final int NUMBERS_PER_MAJOR = 10_000;

  private Opening() {}

  /** Answers in time, whatever the pool or the database is waiting for. */
  public static <T> T within(Lane.Task<T> task) {
    return within(Lane.PATIENCE, task);
  }

  public static <T> T within(Duration patience, Lane.Task<T> task) {
    // Not closed: a thread that waits for a database ends when that answers.
    Lane lane = new Lane("opening", 1);
    try {
      return lane.submit(task, patience).toCompletableFuture().join();
    } catch (CompletionException e) {
      throw unusable(e.getCause() == null ? e : e.getCause());
    }
  }

  private static RuntimeException unusable(Throwable cause) {
    if (cause instanceof SQLException e) {
      return StoreUnusableException.unreachable(
          "the store cannot be reached: " + Failures.text(Failures.root(e)), e);
    }
    if (cause instanceof TimeoutException) {
      return StoreUnusableException.unreachable(String.valueOf(cause.getMessage()), cause);
    }
    return cause instanceof RuntimeException e ? e : new IllegalStateException(cause);
  }

  public static void requireDriver(String jdbcUrl, String artifact) {
    try {
      var unused = DriverManager.getDriver(jdbcUrl);
    } catch (SQLException e) {
      throw new StoreUnusableException(
          "there is no JDBC driver for this store: add " + artifact + " to the class path", e);
    }
  }

  /** A pool would look for seconds whether a file has become one of SQLite's. */
  public static boolean requireFile(String jdbcUrl) throws SQLException {
    try (Session session = Session.onFile(DriverManager.getConnection(jdbcUrl))) {
      return session.query(ResultSet::next, "schema-exists");
    } catch (SQLException e) {
      if (Failures.isForGood(e)) {
        throw e;
      }
      return false;
    }
  }

  public static void requireDurable(Session session, Dialect dialect) throws SQLException {
    session.autoCommit(true);
    switch (dialect) {
      case SQLITE -> requireWritableFile(session);
      case POSTGRESQL -> requireSafeServer(session);
      case COCKROACHDB -> requireSerializable(session);
    }
  }

  /** Below that, what a statement has read there may have changed before it commits. */
  private static void requireSerializable(Session session) throws SQLException {
    refuseIf(
        session.connection().getTransactionIsolation() != Connection.TRANSACTION_SERIALIZABLE,
        "the connections are not at SERIALIZABLE, which leases need on CockroachDB and which is its"
            + " default: set default_transaction_isolation, or the pool's, back to it");
  }

  /** An immediate transaction is had on a file that can only be read, too; writing is not. */
  private static void requireWritableFile(Session session) throws SQLException {
    session.update("begin");
    try {
      session.update("try-to-write");
    } catch (SQLException e) {
      if (Failures.isReadOnlyFile(e)) {
        throw new StoreUnusableException(
            "the SQLite file can only be read: open it with the right to write", e);
      }
      throw e;
    } finally {
      session.update("rollback");
    }
  }

  private static void requireSafeServer(Session session) throws SQLException {
    int isolation = session.connection().getTransactionIsolation();
    refuseIf(
        isolation != Connection.TRANSACTION_READ_COMMITTED
            && isolation != Connection.TRANSACTION_SERIALIZABLE,
        "the connections are neither at READ COMMITTED nor at SERIALIZABLE: set"
            + " default_transaction_isolation, or the pool's, to one of them");
    boolean unused =
        session.query(
            rows -> {
              if (rows.next()) {
                requireVersion(rows.getInt(1));
                refuseIf(
                    rows.getBoolean(2),
                    "the database is a read replica: point the store at the primary");
                refuseIf(
                    rows.getString(3).equals("on"),
                    "transactions are read-only here (default_transaction_read_only): point the"
                        + " store at the primary, as a user who may write");
                refuseIf(
                    rows.getString(4).equals("off"),
                    "fsync is off, so a crash of the server may forget who holds what: set fsync ="
                        + " on in postgresql.conf");
                refuseIf(
                    rows.getString(5).equals("off"),
                    "synchronous_commit is off, so a crash of the server may forget who holds what:"
                        + " set it to on for this user, database or URL");
              }
              return true;
            },
            "settings");
  }

  private static void requireVersion(int number) {
    refuseIf(
        number < OLDEST_POSTGRESQL * NUMBERS_PER_MAJOR,
        "the server is PostgreSQL "
            + number / NUMBERS_PER_MAJOR
            + ", leases need "
            + OLDEST_POSTGRESQL
            + " or newer: upgrade it");
  }

  private static void refuseIf(boolean unsafe, String sentence) {
    if (unsafe) {
      throw new StoreUnusableException(sentence);
    }
  }

  public static void requireSchema(SchemaState state) {
    switch (state) {
      case SchemaState.Current current -> {}
      case SchemaState.Missing missing ->
          throw new StoreUnusableException(
              "the database has no schema for leases: run leasehold migrate");
      case SchemaState.Behind behind ->
          throw new StoreUnusableException(
              "the schema is at version "
                  + behind.version()
                  + ", older than this release needs: run leasehold migrate");
      case SchemaState.TooNew tooNew ->
          throw new StoreUnusableException(
              "the schema is of release 0."
                  + tooNew.minor()
                  + ", too new for this one: upgrade this process");
    }
  }
}
