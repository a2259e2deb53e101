package dev.leasehold.fence.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a change, usable only during the change. Neither it nor any object obtained
 * from it can end the transaction, because later statements would run without a check. A statement
 * whose text ends the transaction is not noticed.
 */
final class LentConnection implements AutoCloseable {
  private static final Set<String> ENDS_IT = Set.of("commit", "close", "abort", "setAutoCommit");

  private final Connection lent;
  private volatile boolean over;

  LentConnection(Connection connection) {
    lent = (Connection) lend(Connection.class, connection);
  }

  Connection connection() {
    return lent;
  }

  @Override
  public void close() {
    over = true;
  }

  private Object lend(Class<?> type, Object real) {
    return Proxy.newProxyInstance(
        LentConnection.class.getClassLoader(), new Class<?>[] {type}, new Lent(real));
  }

  /** The connection, or an object that leads back to it: statements, their results, metadata. */
  private final class Lent implements InvocationHandler {
    private final Object real;

    Lent(Object real) {
      this.real = real;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
        throws Throwable {
      if (method.getDeclaringClass() == Object.class) {
        return method.invoke(this, given);
      }
      requireAllowed(method);
      try {
        return leadingBack(method.getReturnType(), method.invoke(real, given));
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    private void requireAllowed(Method method) throws SQLException {
      String name = method.getName();
      boolean endsIt =
          ENDS_IT.contains(name) || (name.equals("rollback") && method.getParameterCount() == 0);
      if (real instanceof Connection && endsIt) {
        throw new SQLException(
            "the transaction is committed when the change returns, and rolled back when it throws: "
                + name
                + " is not the change's to call");
      }
      if (name.equals("unwrap")) {
        throw new SQLException(
            "the driver's own connection could end the transaction that has checked the token: a"
                + " change that needs it begins one of its own, with admitIn");
      }
      // After the change, objects may still be closed.
      if (over && !name.equals("close") && !name.equals("isClosed")) {
        throw new SQLException("the change has returned, and its transaction is over");
      }
    }

    private @Nullable Object leadingBack(Class<?> type, @Nullable Object result) {
      return switch (result) {
        case Connection connection -> lent;
        case Statement statement -> lend(type, statement);
        case ResultSet rows -> lend(type, rows);
        case DatabaseMetaData description -> lend(type, description);
        case null, default -> result;
      };
    }

    /** Called on the proxy, so the argument is a proxy too. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other != null
          && Proxy.isProxyClass(other.getClass())
          && Proxy.getInvocationHandler(other) == this;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    @Override
    public String toString() {
      return "lent " + real;
    }
  }
}
