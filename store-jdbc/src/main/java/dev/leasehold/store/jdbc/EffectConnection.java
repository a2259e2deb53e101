package dev.leasehold.store.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a change is made on. It does not end the transaction: what came after would
 * be without a check. When the time is over, or the change has returned, it does nothing any more.
 */
final class EffectConnection implements InvocationHandler {
  private static final Set<String> ENDS_IT = Set.of("commit", "close", "abort", "setAutoCommit");

  private final Connection connection;
  private final EffectDeadline deadline;
  private volatile boolean over;

  EffectConnection(Connection connection, EffectDeadline deadline) {
    this.connection = connection;
    this.deadline = deadline;
  }

  Connection lent() {
    return (Connection)
        Proxy.newProxyInstance(
            EffectConnection.class.getClassLoader(), new Class<?>[] {Connection.class}, this);
  }

  void takeBack() {
    over = true;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] given)
      throws Throwable {
    boolean rollsAllBack = method.getName().equals("rollback") && method.getParameterCount() == 0;
    if (rollsAllBack || ENDS_IT.contains(method.getName())) {
      throw new SQLException(
          "the transaction is committed when the change returns, and rolled back when it throws: "
              + method.getName()
              + " is not the change's to call");
    }
    if (over) {
      throw new SQLException("the change has returned, and its transaction is over");
    }
    if (method.getDeclaringClass() == Connection.class) {
      deadline.require();
    }
    try {
      return method.invoke(connection, given);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
