package dev.leasehold.store.jdbc.interleaving;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * A connection that stops its actor before each statement, commit and rollback. On threads of no
 * actor it lets everything pass.
 *
 * <p>It removes time limits from what is sent: a step may last as long as the others need, and the
 * order itself ends what a limit would have ended. a limit would have ended is ended by the order
 * itself.
 */
public final class Gate implements AutoCloseable {
  private static final String QUERY_CANCELED = "57014";

  /** Takes no lock and reads nothing, so it is sent together with the next statement. */
  private static final Pattern SETTING =
      Pattern.compile("(\\s*--[^\\n]*\\n|\\s*SET\\s[^;]*(;|$))+", Pattern.CASE_INSENSITIVE);

  private static final Pattern LIMIT =
      Pattern.compile(
          "((?:lock|idle_in_transaction_session|statement|transaction)_timeout) = '\\w+'");

  private final Connection real;
  private final Connection gated;
  private final Statements statements;
  private final int backend;
  private boolean inTransaction;
  private Optional<Runnable> beforeCommit = Optional.empty();

  public Gate(Connection real, Statements statements) throws SQLException {
    this.real = real;
    this.statements = statements;
    this.backend = real.unwrap(PGConnection.class).getBackendPID();
    this.gated = proxy(Connection.class, this::onConnection);
  }

  public Connection connection() {
    return gated;
  }

  /** The server's process id of this connection. */
  public int backend() {
    return backend;
  }

  /** Runs once, when the next commit has its permission and is not sent yet. */
  public void beforeCommit(Runnable action) {
    beforeCommit = Optional.of(action);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(Gate.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private @Nullable Object onConnection(
      Object proxy, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    return switch (method.getName()) {
      case "prepareStatement" -> prepared(textOf(arguments));
      case "createStatement" -> created(real.createStatement());
      case "commit" -> end("commit", method, arguments);
      case "rollback" ->
          arguments == null || arguments.length == 0
              ? end("rollback", method, arguments)
              : invoke(real, method, arguments);
      case "setAutoCommit" ->
          inTransaction && Boolean.TRUE.equals(arguments(arguments)[0])
              ? end("commit", method, arguments)
              : invoke(real, method, arguments);
      case "setNetworkTimeout" -> null;
      default -> invoke(real, method, arguments);
    };
  }

  private Statement created(Statement statement) {
    return proxy(
        Statement.class, (proxy, method, arguments) -> onStatement(statement, method, arguments));
  }

  private @Nullable Object end(String how, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (inTransaction) {
      Actor.current().ifPresent(actor -> actor.step(how, backend));
      inTransaction = false;
    }
    if (how.equals("commit")) {
      beforeCommit.ifPresent(Runnable::run);
    }
    beforeCommit = Optional.empty();
    return invoke(real, method, arguments);
  }

  private PreparedStatement prepared(String sql) throws SQLException {
    PreparedStatement statement = real.prepareStatement(sent(sql));
    return proxy(
        PreparedStatement.class,
        (proxy, method, arguments) -> {
          if (!method.getName().startsWith("execute")) {
            return invoke(statement, method, arguments);
          }
          return execute(sql, () -> invoke(statement, method, arguments));
        });
  }

  private @Nullable Object onStatement(
      Statement statement, Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (!method.getName().startsWith("execute")) {
      return invoke(statement, method, arguments);
    }
    @Nullable Object[] changed = arguments(arguments).clone();
    String sql = textOf(arguments);
    changed[0] = sent(sql);
    return execute(sql, () -> invoke(statement, method, changed));
  }

  private String sent(String sql) {
    return LIMIT.matcher(statements.rewrite(sql)).replaceAll("$1 = '0'");
  }

  private interface Sending {
    @Nullable Object send() throws Throwable;
  }

  private @Nullable Object execute(String sql, Sending sending) throws Throwable {
    Optional<Actor> actor = Actor.current();
    if (!SETTING.matcher(sql).matches()) {
      actor.ifPresent(a -> a.step(statements.nameOf(sql), backend));
    }
    inTransaction = !real.getAutoCommit();
    try {
      return sending.send();
    } catch (SQLException e) {
      Optional<String> ended =
          QUERY_CANCELED.equals(e.getSQLState())
              ? actor.flatMap(Actor::takeEnding)
              : Optional.empty();
      throw ended.isPresent() ? new SQLException("ended by the order", ended.get(), e) : e;
    }
  }

  private static String textOf(@Nullable Object @Nullable [] arguments) {
    return String.valueOf(arguments(arguments)[0]);
  }

  private static @Nullable Object[] arguments(@Nullable Object @Nullable [] arguments) {
    if (arguments == null) {
      throw new IllegalArgumentException("a call without arguments");
    }
    return arguments;
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      throw cause == null ? e : cause;
    }
  }

  /** Back to a connection without a transaction. */
  public void reset() throws SQLException {
    if (!real.getAutoCommit()) {
      real.rollback();
      real.setAutoCommit(true);
    }
    inTransaction = false;
    beforeCommit = Optional.empty();
  }

  @Override
  public void close() throws SQLException {
    real.close();
  }
}
