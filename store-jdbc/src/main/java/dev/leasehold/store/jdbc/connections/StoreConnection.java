package dev.leasehold.store.jdbc.connections;

import dev.leasehold.kernel.spi.AnswerTimes;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.AutoSave;

/**
 * A connection and the statements prepared on it. A connection that is kept open prepares each
 * statement once.
 */
public final class StoreConnection implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(StoreConnection.class.getName());

  /**
   * The statements that are not pinned when each statement pins the path, beside those that {@link
   * #LOCKS_TABLES}. Some set limits, and use no operators. Guards name users' tables by the user's
   * path. After a check at effect, users' statements follow in the same transaction.
   */
  private static final Set<String> UNPINNED =
      Set.of(
          "bound-transaction",
          "bound-moment",
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

  /**
   * A statement that locks tables does so before the transaction's snapshot, which a pin would
   * take; it uses no operators.
   */
  private static final String LOCKS_TABLES = "LOCK TABLE";

  private final Connection jdbc;
  private final Dialect dialect;
  private final SearchPath path;
  private final Namespace namespace;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private OptionalInt silenceBefore = OptionalInt.empty();
  private Optional<Boolean> autoCommitBefore = Optional.empty();
  private Optional<AutoSave> autosaveBefore = Optional.empty();

  public StoreConnection(Connection jdbc, Dialect dialect, SearchPath path, Namespace namespace) {
    this.jdbc = jdbc;
    this.dialect = dialect;
    this.path = path;
    this.namespace = namespace;
  }

  /** On a file as it lies there: nothing is set, and there is no path to find anything along. */
  public static StoreConnection onFile(Connection jdbc, Dialect dialect) {
    return new StoreConnection(jdbc, dialect, SearchPath.AS_IT_IS, new Namespace(dialect));
  }

  /** The store's schema, if the database has schemas. */
  public Optional<String> schema() {
    return namespace.schema();
  }

  /** Gives a pinned connection its original path until the transaction ends. */
  public void unpin() throws SQLException {
    if (path == SearchPath.PINNED) {
      boolean unused = query(ResultSet::next, "unpin");
    }
  }

  /**
   * Runs statements that name users' tables, on the user's path; in a transaction if the path must
   * be changed for that.
   */
  public <T> T onUsersPath(ConnectionWork<T> work) throws SQLException {
    if (path != SearchPath.PINNED) {
      return work.run(this);
    }
    return inTransaction(
        connection -> {
          connection.unpin();
          return work.run(connection);
        });
  }

  /** From now on, the transaction creates objects in the store's schema. */
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
   * Limits how long the server may send nothing. After that the server or the network is considered
   * lost, and the caller gets another connection. The limit is shorter than callers wait, so that a
   * retry can still answer in time.
   */
  public void boundSilence() throws SQLException {
    silenceBefore = OptionalInt.of(jdbc.getNetworkTimeout());
    jdbc.setNetworkTimeout(Runnable::run, (int) AnswerTimes.DATABASE.toMillis());
  }

  /**
   * Keeps PostgreSQL's driver from setting savepoints. With them, a row is locked in one
   * subtransaction and written in another, and then the server lets a transaction with an older
   * snapshot lock the version that it saw: its check would pass after its grant has ended.
   */
  void refuseSavepoints() throws SQLException {
    PGConnection driver = jdbc.unwrap(PGConnection.class);
    autosaveBefore = Optional.of(driver.getAutosave());
    driver.setAutosave(AutoSave.NEVER);
  }

  /** Lifts that limit, for statements that may take long. */
  public void allowSilence() throws SQLException {
    jdbc.setNetworkTimeout(Runnable::run, 0);
  }

  public Dialect dialect() {
    return dialect;
  }

  public Connection jdbc() {
    return jdbc;
  }

  public PreparedStatement prepare(String name) throws SQLException {
    PreparedStatement known = prepared.get(name);
    if (known != null) {
      return known;
    }
    String text = namespace.sql(name);
    return prepare(name, text, !UNPINNED.contains(name) && !text.contains(LOCKS_TABLES));
  }

  private PreparedStatement prepare(String name, String text, boolean pinned) throws SQLException {
    PreparedStatement statement =
        path == SearchPath.PINNED_BY_STATEMENT && pinned
            ? PinnedStatement.prepare(jdbc, dialect.sql().get("pin-statement"), text)
            : jdbc.prepareStatement(text);
    prepared.put(name, statement);
    return statement;
  }

  /**
   * Forgets prepared statements. SQLite's driver closes some of those that fail, so they must be
   * prepared again.
   */
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

  /** Runs a query, and passes the open result to the reading. */
  public <T> T query(Reading<T> reading, String name, @Nullable Object... values)
      throws SQLException {
    try (ResultSet rows = bound(name, values).executeQuery()) {
      return reading.read(rows);
    }
  }

  /** What each row of a query says, in order. */
  public <T> List<T> list(Reading<T> row, String name, @Nullable Object... values)
      throws SQLException {
    List<T> found = new ArrayList<>();
    each(rows -> found.add(row.read(rows)), name, values);
    return found;
  }

  /** What the first row of a query says, if there is one. */
  public <T> Optional<T> first(Reading<T> row, String name, @Nullable Object... values)
      throws SQLException {
    return query(
        rows -> rows.next() ? Optional.of(row.read(rows)) : Optional.empty(), name, values);
  }

  /** The number that a query answers with; 0 if there is no row. */
  public long number(String name, @Nullable Object... values) throws SQLException {
    return first(row -> row.getLong(1), name, values).orElse(0L);
  }

  /** Passes each row of a query to the reading, in order. */
  public void each(QueryBatch.Rows row, String name, @Nullable Object... values)
      throws SQLException {
    read(QueryBatch.Rows.each(row), name, values);
  }

  void read(QueryBatch.Rows reading, String name, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = bound(name, values).executeQuery()) {
      reading.read(rows);
    }
  }

  /** Items as values of a server's statement: an array for each of their columns. */
  public <I> Columns<I> columnsOf(List<I> items) {
    return new Columns<>(jdbc, items);
  }

  /** Statements that are sent together. */
  public QueryBatch together() {
    return new QueryBatch(this);
  }

  /** Several statements as one. */
  PreparedStatement prepare(List<String> names) throws SQLException {
    if (names.size() == 1) {
      return prepare(names.getFirst());
    }
    String together = String.join(";", names);
    PreparedStatement known = prepared.get(together);
    if (known != null) {
      return known;
    }
    String text = names.stream().map(namespace::sql).collect(Collectors.joining(";\n"));
    return prepare(together, text, true);
  }

  private PreparedStatement bound(String name, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepare(name);
    bind(statement, values);
    return statement;
  }

  static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  /**
   * Rows of texts and whole numbers as the values of a statement: an array for each column, or one
   * JSON text. There must be a row.
   */
  public @Nullable Object[] columns(List<? extends List<?>> rows) throws SQLException {
    if (!dialect.hasArrays()) {
      return new Object[] {JsonText.lists(rows)};
    }
    Columns<List<?>> columns = columnsOf(List.copyOf(rows));
    for (int i = 0; i < rows.getFirst().size(); i++) {
      int at = i;
      columns.of(typeOf(rows.getFirst().get(i)), row -> row.get(at));
    }
    return columns.values();
  }

  /** Numbers as one value of a statement: an array, or one JSON text. */
  public Object numbers(List<Integer> numbers) throws SQLException {
    return dialect.hasArrays() ? jdbc.createArrayOf("int4", numbers.toArray()) : numbers.toString();
  }

  private static String typeOf(Object value) {
    return value instanceof Integer ? "int4" : value instanceof Long ? "int8" : "text";
  }

  /** Runs the work in a transaction. */
  public <T> T inTransaction(ConnectionWork<T> work) throws SQLException {
    autoCommit(false);
    boolean committed = false;
    try {
      T result = work.run(this);
      jdbc.commit();
      committed = true;
      return result;
    } finally {
      if (!committed) {
        rollBack();
      }
    }
  }

  /**
   * The same on a server, for work that others must not wait for long: it waits at most a second
   * for a lock, and the server ends the transaction if this process stops in the middle of it.
   */
  public <T> T inBoundedTransaction(ConnectionWork<T> work) throws SQLException {
    return inTransaction(
        connection -> {
          connection.update("bound-transaction");
          return work.run(connection);
        });
  }

  /** The same with a shorter wait for locks, since other work waits for the thread that runs it. */
  public <T> T inBriefTransaction(ConnectionWork<T> work) throws SQLException {
    return inTransaction(
        connection -> {
          connection.update("bound-moment");
          return work.run(connection);
        });
  }

  public void autoCommit(boolean on) throws SQLException {
    boolean now = jdbc.getAutoCommit();
    if (autoCommitBefore.isEmpty()) {
      autoCommitBefore = Optional.of(now);
    }
    if (now != on) {
      jdbc.setAutoCommit(on);
    }
  }

  public void rollBack() {
    rollBack(
        connection -> {
          connection.jdbc.rollback();
          return 0;
        });
  }

  /** Rolls back by the given statement. */
  public void rollBack(ConnectionWork<Integer> means) {
    try {
      int unused = means.run(this);
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a transaction could not be rolled back", e);
      if (!dialect.endsTransactionsByItself() || !hadEnded(means)) {
        discard();
      }
    }
  }

  /**
   * When a disk is full or fails, SQLite rolls back by itself, but its driver behaves as if the
   * transaction were still open, so the next statement would be committed at once. If another
   * transaction can be begun, there was none; after that one is rolled back, driver and database
   * agree again.
   */
  private boolean hadEnded(ConnectionWork<Integer> means) {
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
   * Ends the connection together with its open transaction. Restoring auto-commit before returning
   * it would commit that transaction.
   */
  private void discard() {
    autoCommitBefore = Optional.empty();
    silenceBefore = OptionalInt.empty();
    autosaveBefore = Optional.empty();
    try (jdbc) {
      // The pool must not lend this connection again. SQLite's driver ignores an abort, and closing
      // a pooled connection only returns it, so the driver's own connection must be closed.
      jdbc.abort(Runnable::run);
      jdbc.unwrap(Connection.class).close();
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a connection could not be closed", e);
    }
  }

  /** Reads the rows of a result. */
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

  /** Restored here, because not every pool does it. */
  private void giveBackAsItWas() throws SQLException {
    if (autoCommitBefore.isPresent()) {
      jdbc.setAutoCommit(autoCommitBefore.get());
    }
    if (silenceBefore.isPresent()) {
      jdbc.setNetworkTimeout(Runnable::run, silenceBefore.getAsInt());
    }
    if (autosaveBefore.isPresent()) {
      jdbc.unwrap(PGConnection.class).setAutosave(autosaveBefore.get());
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      forgetPrepared();
      if (!jdbc.isClosed()) {
        giveBackAsItWas();
      }
    } finally {
      jdbc.close();
    }
  }
}
