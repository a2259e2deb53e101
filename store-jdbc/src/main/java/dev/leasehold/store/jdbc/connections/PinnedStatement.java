package dev.leasehold.store.jdbc.connections;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A statement that first pins the search path of its transaction, in the same round trip. Both run
 * in one transaction, even in auto-commit mode, so the connection is unchanged afterwards. The
 * result of the first part is skipped.
 */
final class PinnedStatement implements InvocationHandler {
  private final PreparedStatement real;

  private PinnedStatement(PreparedStatement real) {
    this.real = real;
  }

  static PreparedStatement prepare(Connection connection, String pin, String text)
      throws SQLException {
    return (PreparedStatement)
        Proxy.newProxyInstance(
            PinnedStatement.class.getClassLoader(),
            new Class<?>[] {PreparedStatement.class},
            new PinnedStatement(connection.prepareStatement(pin + ";\n" + text)));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    return switch (method.getName()) {
      case "execute" -> executed();
      case "executeQuery" -> {
        boolean unused = executed();
        yield real.getResultSet();
      }
      case "executeUpdate" -> {
        boolean unused = executed();
        yield real.getUpdateCount();
      }
      default -> call(method, given);
    };
  }

  private boolean executed() throws SQLException {
    boolean unused = real.execute();
    return real.getMoreResults();
  }

  private @Nullable Object call(Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    try {
      return method.invoke(real, given);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
