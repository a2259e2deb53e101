package dev.leasehold.fence.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections whose process is stopped right after a certain statement. */
final class HaltingSource {
  private static final long TIMEOUT_SECONDS = 60;

  private final DataSource source;
  private final String statement;
  private final CountDownLatch halted = new CountDownLatch(1);
  private final CountDownLatch resumed = new CountDownLatch(1);

  HaltingSource(DataSource source, String statement) {
    this.source = source;
    this.statement = statement;
  }

  DataSource proxy() {
    return proxy(
        DataSource.class,
        (method, given) -> {
          Object result = method.invoke(source, given);
          return result instanceof Connection connection ? halting(connection) : result;
        });
  }

  private Connection halting(Connection connection) {
    // Used by one thread, as a connection is.
    boolean[] reached = new boolean[1];
    return proxy(
        Connection.class,
        (method, given) -> {
          if (reached[0]) {
            halted.countDown();
            resumed.await();
          }
          reached[0] |=
              given != null && given.length > 0 && String.valueOf(given[0]).contains(statement);
          return method.invoke(connection, given);
        });
  }

  void awaitHalt() throws InterruptedException {
    if (!halted.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("it has not come to " + statement);
    }
  }

  void resume() {
    resumed.countDown();
  }

  private interface Call {
    @Nullable Object call(Method method, @Nullable Object @Nullable [] given) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            HaltingSource.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, given) -> {
              try {
                return call.call(method, given);
              } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
              }
            }));
  }
}
