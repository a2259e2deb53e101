package dev.leasehold.store.jdbc;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * A connection and the statements prepared on it. They are kept as long as the session lasts, so
 * one that is kept open prepares each of them once.
 */
final class Session implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Session.class.getName());
  private static final int LONGEST_SILENCE_MILLIS = 3_500;

  private final Connection connection;
  private final Sql sql;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private OptionalInt silenceBefore = OptionalInt.empty();
  private Optional<Boolean> autoCommitBefore = Optional.empty();
  private Optional<AutoSave> autosaveBefore = Optional.empty();

  Session(Connection connection, Sql sql) {
    this.connection = connection;
    this.sql = sql;
  }

  /**
   * A server that says nothing for so long is gone, or the way to it is: whoever waits must get
   * another connection. Less than callers wait, so that one of them still gets an answer.
   */
  void boundSilence() throws SQLException {
    silenceBefore = OptionalInt.of(connection.getNetworkTimeout());
    connection.setNetworkTimeout(Runnable::run, LONGEST_SILENCE_MILLIS);
  }

  /**
   * Keeps PostgreSQL's driver from setting savepoints. With them, a row is locked in one
   * subtransaction and written in another, and then the server lets a transaction with an older
   * snapshot lock what it saw before: its check would pass after its grant has ended.
   */
  void refuseSavepoints() throws SQLException {
    PGConnection driver = connection.unwrap(PGConnection.class);
    autosaveBefore = Optional.of(driver.getAutosave());
    driver.setAutosave(AutoSave.NEVER);
  }

  /** For what may take long. */
  void allowSilence() throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
  }

  Connection connection() {
    return connection;
  }

  PreparedStatement prepare(String name) throws SQLException {
    PreparedStatement known = prepared.get(name);
    if (known != null) {
      return known;
    }
    PreparedStatement statement = connection.prepareStatement(sql.get(name));
    prepared.put(name, statement);
    return statement;
  }

  /** Runs a statement with these values; returns how many rows it changed. */
  int update(String name, @Nullable Object... values) throws SQLException {
    return bound(name, values).executeUpdate();
  }

  /** Asks a question, and hands over the answer while it is open. */
  <T> T query(Reading<T> reading, String name, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = bound(name, values).executeQuery()) {
      return reading.read(rows);
    }
  }

  private PreparedStatement bound(String name, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepare(name);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /** All or nothing. */
  <T> T inTransaction(Work<T> work) throws SQLException {
    autoCommit(false);
    boolean committed = false;
    try {
      T result = work.run(this);
      connection.commit();
      committed = true;
      return result;
    } finally {
      if (!committed) {
        rollBack();
      }
    }
  }

  /**
   * The same on a server, where nobody may wait for it for long: it waits a second for a lock, and
   * the server ends it when this process falls silent in the midst of it.
   */
  <T> T inBoundedTransaction(Work<T> work) throws SQLException {
    return inTransaction(
        session -> {
          session.update("bound-transaction");
          return work.run(session);
        });
  }

  void autoCommit(boolean on) throws SQLException {
    boolean now = connection.getAutoCommit();
    if (autoCommitBefore.isEmpty()) {
      autoCommitBefore = Optional.of(now);
    }
    if (now != on) {
      connection.setAutoCommit(on);
    }
  }

  void rollBack() {
    try {
      connection.rollback();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a transaction could not be rolled back", e);
      discard();
    }
  }

  /**
   * Ends the connection, and with it a transaction that it may still be in. To give it back as it
   * was would commit that: JDBC does so when it goes back to auto-commit.
   */
  private void discard() {
    autoCommitBefore = Optional.empty();
    silenceBefore = OptionalInt.empty();
    autosaveBefore = Optional.empty();
    try {
      // A pool must not hand it out again; to some drivers this means nothing.
      connection.abort(Runnable::run);
      connection.close();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a connection could not be closed", e);
    }
  }

  /** What is made of the rows of an answer. */
  interface Reading<T> {
    T read(ResultSet rows) throws SQLException;
  }

  void closeQuietly() {
    try {
      close();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a connection could not be closed", e);
    }
  }

  /** Not every pool does that. */
  private void giveBackAsItWas() throws SQLException {
    if (autoCommitBefore.isPresent()) {
      connection.setAutoCommit(autoCommitBefore.get());
    }
    if (silenceBefore.isPresent()) {
      connection.setNetworkTimeout(Runnable::run, silenceBefore.getAsInt());
    }
    if (autosaveBefore.isPresent()) {
      connection.unwrap(PGConnection.class).setAutosave(autosaveBefore.get());
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      for (PreparedStatement statement : prepared.values()) {
        statement.close();
      }
      if (!connection.isClosed()) {
        giveBackAsItWas();
      }
    } finally {
      connection.close();
    }
  }
}
