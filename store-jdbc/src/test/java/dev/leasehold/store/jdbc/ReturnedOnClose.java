package dev.leasehold.store.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.Consumer;

/** A connection that returns to its source when it is closed. */
final class ReturnedOnClose {
  private ReturnedOnClose() {}

  static Connection by(Connection connection, Consumer<Connection> owner) {
    return (Connection)
        Proxy.newProxyInstance(
            ReturnedOnClose.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                owner.accept(connection);
                return null;
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
