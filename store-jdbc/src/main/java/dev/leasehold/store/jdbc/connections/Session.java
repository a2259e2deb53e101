package dev.leasehold.store.jdbc.connections;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * A connection and the statements prepared on it. They are kept as long as the session lasts, so
 * one that is kept open prepares each of them once.
 */
public final class Session implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Session.class.getName());
  private static final int LONGEST_SILENCE_MILLIS = 3_500;

  /**
   * What is not to be pinned where each statement is. Some take locks that have to be had before
   * the transaction's snapshot is taken, or set limits: they have no operators. Guards speak of
   * users' tables by the user's path. After the checks of changes, users' statements follow in the
   * same transaction.
   */
  private static final Set<String> UNPINNED =
      Set.of(
          "lock-out-writers",
          "lock-out-object-writers",
          "join-writers",
          "bound-transaction",
          "wait-a-moment",
          "namespace",
          "creation-path",
          "guard-install",
          "guard-remove",
          "guards",
          "guard-holes",
          "guard-limits",
          "token-columns",
          "begin-effect",
          "check-current");

  private final Connection connection;
  private final Dialect dialect;
  private final SearchPath path;
  private final Namespace namespace;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private OptionalInt silenceBefore = OptionalInt.empty();
  private Optional<Boolean> autoCommitBefore = Optional.empty();
  private Optional<AutoSave> autosaveBefore = Optional.empty();

  public Session(Connection connection, Dialect dialect, SearchPath path, Namespace namespace) {
    this.connection = connection;
    this.dialect = dialect;
    this.path = path;
    this.namespace = namespace;
  }

  /** On a file, where there is nothing to find along a path. */
  public static Session onFile(Connection connection) {
    return new Session(
        connection, Dialect.SQLITE, SearchPath.AS_IT_IS, new Namespace(Dialect.SQLITE));
  }

  /** The store's schema, where there is one. */
  public Optional<String> schema() {
    return namespace.schema();
  }

  /** Until the transaction ends, a pinned connection has the path that it was opened with. */
  public void unpin() throws SQLException {
    if (path == SearchPath.PINNED) {
      boolean unused = query(ResultSet::next, "unpin");
    }
  }

  /** For statements that speak of users' tables; the work is a transaction where that takes one. */
  public <T> T onUsersPath(Work<T> work) throws SQLException {
    if (path != SearchPath.PINNED) {
      return work.run(this);
    }
    return inTransaction(
        session -> {
          session.unpin();
          return work.run(session);
        });
  }

  /** What the transaction creates from now on goes to the store's schema. */
  public void createInSchema() throws SQLException {
    Optional<String> schema = namespace.schema();
    if (schema.isPresent()) {
      boolean unused = query(ResultSet::next, "creation-path", schema.get());
    }
  }

  /** The opposite of {@link #createInSchema()}. */
  public void pin() throws SQLException {
    if (namespace.schema().isPresent()) {
      boolean unused = query(ResultSet::next, "pin-statement");
    }
  }

  /**
   * A server that says nothing for so long is gone, or the way to it is: whoever waits must get
   * another connection. Less than callers wait, so that one of them still gets an answer.
   */
  public void boundSilence() throws SQLException {
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
  public void allowSilence() throws SQLException {
    connection.setNetworkTimeout(Runnable::run, 0);
  }

  public Dialect dialect() {
    return dialect;
  }

  public Connection connection() {
    return connection;
  }

  public PreparedStatement prepare(String name) throws SQLException {
    PreparedStatement known = prepared.get(name);
    if (known != null) {
      return known;
    }
    String text = namespace.sql(name);
    PreparedStatement statement =
        path == SearchPath.PINNED_BY_STATEMENT && !UNPINNED.contains(name)
            ? PinnedStatement.prepare(connection, text)
            : connection.prepareStatement(text);
    prepared.put(name, statement);
    return statement;
  }

  /** SQLite's driver closes some of those that fail; they are prepared anew. */
  public void forgetPrepared() throws SQLException {
    for (PreparedStatement statement : prepared.values()) {
      statement.close();
    }
    prepared.clear();
  }

  /** Runs a statement with these values; returns how many rows it changed. */
  public int update(String name, @Nullable Object... values) throws SQLException {
    return bound(name, values).executeUpdate();
  }

  /** Asks a question, and hands over the answer while it is open. */
  public <T> T query(Reading<T> reading, String name, @Nullable Object... values)
      throws SQLException {
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
  public <T> T inTransaction(Work<T> work) throws SQLException {
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
  public <T> T inBoundedTransaction(Work<T> work) throws SQLException {
    return inTransaction(
        session -> {
          session.update("bound-transaction");
          return work.run(session);
        });
  }

  /** The same, waiting for a lock only for a moment: others wait for the thread that runs it. */
  public <T> T inBriefTransaction(Work<T> work) throws SQLException {
    return inTransaction(
        session -> {
          session.update("bound-moment");
          return work.run(session);
        });
  }

  public void autoCommit(boolean on) throws SQLException {
    boolean now = connection.getAutoCommit();
    if (autoCommitBefore.isEmpty()) {
      autoCommitBefore = Optional.of(now);
    }
    if (now != on) {
      connection.setAutoCommit(on);
    }
  }

  public void rollBack() {
    rollBack(
        session -> {
          session.connection.rollback();
          return 0;
        });
  }

  /** The same by other means. */
  public void rollBack(Work<Integer> means) {
    try {
      int unused = means.run(this);
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a transaction could not be rolled back", e);
      if (dialect != Dialect.SQLITE || !hadEnded(means)) {
        discard();
      }
    }
  }

  /**
   * When a disk is full or fails SQLite rolls back by itself, and its driver does not know: it goes
   * on as if in a transaction, and whatever comes next is committed at once. If another one can be
   * begun there was none, and once that is rolled back the two agree again.
   */
  private boolean hadEnded(Work<Integer> means) {
    try {
      forgetPrepared();
      update("begin-another");
      int unused = means.run(this);
      return true;
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a transaction is still open", e);
      return false;
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
    try (connection) {
      // A pool must not hand it out again. To SQLite's driver this means nothing, and to close what
      // a pool gave only brings it back: the driver's own connection has to be closed.
      connection.abort(Runnable::run);
      connection.unwrap(Connection.class).close();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a connection could not be closed", e);
    }
  }

  /** What is made of the rows of an answer. */
  public interface Reading<T> {
    T read(ResultSet rows) throws SQLException;
  }

  public void closeQuietly() {
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
      forgetPrepared();
      if (!connection.isClosed()) {
        giveBackAsItWas();
      }
    } finally {
      connection.close();
    }
  }
}
