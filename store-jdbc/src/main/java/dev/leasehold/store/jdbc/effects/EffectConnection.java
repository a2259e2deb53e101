package dev.leasehold.store.jdbc.effects;

import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connection on which a change is made. It does not let the change end the transaction, because
 * later statements would run without a check. Once the time is over or the change has returned, it
 * refuses all calls, and so do its statements and every other object that leads back to it.
 */
final class EffectConnection {
  private static final System.Logger LOG = System.getLogger(EffectConnection.class.getName());
  private static final Set<String> ENDS_IT = Set.of("commit", "close", "abort", "setAutoCommit");

  /** Recognized by the first words. A rollback to a savepoint does not end the transaction. */
  private static final Pattern ENDS_IT_BY_TEXT =
      Pattern.compile(
          "\\s*(commit|end|abort|begin|start\\s+transaction|prepare\\s+transaction"
              + "|rollback(?!\\s+((work|transaction)\\s+)?to\\b))\\b.*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** The types that lead back to the connection; the more specific ones first. */
  private static final List<Class<?>> LENT_TOO =
      List.of(
          Connection.class,
          CallableStatement.class,
          PreparedStatement.class,
          Statement.class,
          ResultSet.class,
          DatabaseMetaData.class);

  private final Connection connection;
  private final EffectDeadline deadline;

  /** A call that has started is finished before the connection is taken back. */
  private final ReentrantLock oneAtATime = new ReentrantLock();

  // Guarded by the lock.
  private final Set<Statement> statements = new HashSet<>();
  private volatile boolean over;

  EffectConnection(Connection connection, EffectDeadline deadline) {
    this.connection = connection;
    this.deadline = deadline;
  }

  Connection lent() {
    return (Connection) lent(Connection.class, connection);
  }

  private Object lent(Class<?> kind, Object real) {
    return Proxy.newProxyInstance(
        EffectConnection.class.getClassLoader(), new Class<?>[] {kind}, new Part(real));
  }

  void takeBack() {
    oneAtATime.lock();
    try {
      over = true;
      for (Statement statement : statements) {
        try {
          statement.close();
        } catch (SQLException e) {
          LOG.log(Level.DEBUG, "a statement of a change could not be closed", e);
        }
      }
    } finally {
      oneAtATime.unlock();
    }
  }

  private void requireTime() throws SQLException {
    if (over) {
      throw new SQLException("the change has returned, and its transaction is over");
    }
    deadline.require();
  }

  private static SQLException notTheChanges(String what) {
    return new SQLException(
        "the transaction is committed when the change returns, and rolled back when it throws: "
            + what
            + " is not the change's to call");
  }

  /** The connection, or an object obtained from it. */
  private final class Part implements InvocationHandler {
    private final Object real;

    Part(Object real) {
      this.real = real;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
        throws Throwable {
      Object first = given == null || given.length == 0 ? null : given[0];
      return switch (method.getName()) {
        case "equals" -> isSame(first);
        case "isWrapperFor" -> false;
        // Called from another thread, while a call is in progress.
        case "cancel" -> {
          requireTime();
          yield call(method, given);
        }
        default -> {
          refuse(method, first);
          yield callAlone(method, given);
        }
      };
    }

    private boolean isSame(@Nullable Object other) {
      return other != null
          && Proxy.isProxyClass(other.getClass())
          && Proxy.getInvocationHandler(other) instanceof Part part
          && part.real.equals(real);
    }

    private void refuse(Method method, @Nullable Object first) throws SQLException {
      String name = method.getName();
      boolean rollsAllBack = name.equals("rollback") && method.getParameterCount() == 0;
      boolean ends = real instanceof Connection && (rollsAllBack || ENDS_IT.contains(name));
      if (ends || name.equals("unwrap")) {
        throw notTheChanges(name);
      }
      boolean runs =
          name.startsWith("prepare") || name.startsWith("execute") || name.equals("addBatch");
      if (runs && first instanceof String sql && ENDS_IT_BY_TEXT.matcher(sql).matches()) {
        throw notTheChanges(sql.strip());
      }
    }

    private @Nullable Object callAlone(Method method, @Nullable Object @Nullable [] given)
        throws Throwable {
      oneAtATime.lock();
      try {
        boolean closes = method.getName().equals("close");
        if (!closes && method.getDeclaringClass() != Object.class) {
          requireTime();
        }
        if (closes && real instanceof Statement statement) {
          statements.remove(statement);
        }
        Object answer = call(method, given);
        if (real instanceof Connection && answer instanceof Statement statement) {
          statements.add(statement);
        }
        return answer == null ? null : lentToo(method.getReturnType(), answer);
      } finally {
        oneAtATime.unlock();
      }
    }

    private @Nullable Object call(Method method, @Nullable Object @Nullable [] given)
        throws Throwable {
      try {
        return method.invoke(real, given);
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    /** Lends the declared type, since SQLite's result sets are also their own meta data. */
    private Object lentToo(Class<?> asked, Object answer) {
      return LENT_TOO.stream()
          .filter(kind -> asked.isAssignableFrom(kind) && kind.isInstance(answer))
          .findFirst()
          .map(kind -> lent(kind, kind == Connection.class ? connection : answer))
          .orElse(answer);
    }
  }
}
