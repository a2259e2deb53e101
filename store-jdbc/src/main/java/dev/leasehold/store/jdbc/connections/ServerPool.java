package dev.leasehold.store.jdbc.connections;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A store's own pool, which reconnects as soon as a server is back. By itself the pool waits longer
 * after each failure, up to 5 s, and callers do not wait that long.
 */
public final class ServerPool extends HikariDataSource {
  private final RetryingSource source;
  private final Threads threads;

  private ServerPool(HikariConfig config, RetryingSource source, Threads threads) {
    super(config);
    this.source = source;
    this.threads = threads;
  }

  public static ServerPool open(
      HikariConfig config, String jdbcUrl, Dialect dialect, SearchPath path) {
    DataSource driver = new DriverDataSource(jdbcUrl, null, new Properties(), null, null);
    RetryingSource source = new RetryingSource(driver, dialect, path);
    config.setDataSource(source);
    Threads threads = new Threads(config.getPoolName());
    config.setThreadFactory(threads);
    return new ServerPool(config, source, threads);
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return source.connectedOnce ? super.getConnection() : firstConnection();
    } catch (SQLException e) {
      // The pool does not report why no connection was available.
      Optional<SQLException> why = source.failure;
      throw why.isPresent() ? new SQLTransientConnectionException(e.getMessage(), why.get()) : e;
    }
  }

  /**
   * The first connection. A permanent failure is reported at once, without waiting for the pool's
   * timeout.
   */
  private Connection firstConnection() throws SQLException {
    CompletableFuture<Connection> coming = new CompletableFuture<>();
    Thread.startVirtualThread(() -> bring(coming));
    var unused = source.refusal.thenAccept(coming::completeExceptionally);
    try {
      return coming.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLTransientConnectionException("interrupted while a connection was awaited", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SQLException failure ? failure : new SQLException(e);
    }
  }

  private void bring(CompletableFuture<Connection> coming) {
    try {
      Connection connection = super.getConnection();
      if (!coming.complete(connection)) {
        connection.close();
      }
    } catch (SQLException | RuntimeException e) {
      coming.completeExceptionally(e);
    }
  }

  @Override
  public void close() {
    source.closed.countDown();
    threads.wake();
    super.close();
  }

  /**
   * Remembers the pool's threads, to interrupt them when the pool is closed: a thread that has
   * added a connection sleeps for 30 ms, and closing would wait for it.
   */
  private static final class Threads implements ThreadFactory {
    private final String name;
    private final Set<Thread> running = ConcurrentHashMap.newKeySet();

    Threads(String name) {
      this.name = name;
    }

    @Override
    public Thread newThread(Runnable work) {
      Thread thread =
          new Thread(
              () -> {
                running.add(Thread.currentThread());
                try {
                  work.run();
                } finally {
                  running.remove(Thread.currentThread());
                }
              },
              name);
      thread.setDaemon(true);
      return thread;
    }

    void wake() {
      running.forEach(Thread::interrupt);
    }
  }

  /** Retries until it has a connection, while the failure is temporary. */
  private static final class RetryingSource extends DelegatingSource {
    private final DataSource driver;
    private final Dialect dialect;
    private final SearchPath path;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReconnectPace pace = new ReconnectPace();
    private final CompletableFuture<SQLException> refusal = new CompletableFuture<>();
    private volatile Optional<SQLException> failure = Optional.empty();
    private volatile boolean connectedOnce;

    RetryingSource(DataSource driver, Dialect dialect, SearchPath path) {
      super(driver);
      this.driver = driver;
      this.dialect = dialect;
      this.path = path;
    }

    @Override
    public Connection getConnection() throws SQLException {
      while (true) {
        try {
          Connection connection = Connector.fit(driver.getConnection(), dialect, path);
          failure = Optional.empty();
          connectedOnce = true;
          pace.found();
          return connection;
        } catch (SQLException e) {
          failure = Optional.of(e);
          if (Failures.isForGood(e)) {
            boolean unused = refusal.complete(e);
          }
          if (!Failures.isAway(e) || !paused(pace.pauseMillis(e))) {
            throw e;
          }
        }
      }
    }

    /** Waits; false if the pool is being closed. */
    private boolean paused(long millis) {
      try {
        return !closed.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
