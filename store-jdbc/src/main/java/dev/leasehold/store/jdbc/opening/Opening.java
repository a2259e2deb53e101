package dev.leasehold.store.jdbc.opening;

import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** Checks that a database can keep leases safely. */
public final class Opening {
  private Opening() {}

  /** Runs a task with a time limit, even if the pool or the database blocks. */
  public static <T> T within(Lane.Task<T> task) {
    return within(AnswerTimes.STORE, task);
  }

  public static <T> T within(Duration timeout, Lane.Task<T> task) {
    // Not closed, since a thread that waits for the database ends when that answers.
    Lane lane = new Lane("opening", 1);
    try {
      return lane.submit(task, timeout).toCompletableFuture().join();
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

  /** A pool would look for seconds whether a file has become a database. */
  public static boolean requireFile(String jdbcUrl, Dialect dialect) throws SQLException {
    try (StoreConnection connection =
        StoreConnection.onFile(DriverManager.getConnection(jdbcUrl), dialect)) {
      return connection.query(ResultSet::next, "schema-exists");
    } catch (SQLException e) {
      if (Failures.isForGood(e)) {
        throw e;
      }
      return false;
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
