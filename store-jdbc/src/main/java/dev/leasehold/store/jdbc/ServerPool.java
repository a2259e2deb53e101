package dev.leasehold.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * A pool of our own for a server, that finds a server that was away as soon as it is back. Left to
 * itself the pool waits longer and longer after each failure before it looks again, in the end 5 s,
 * and whoever asks does not wait that long.
 */
final class ServerPool extends HikariDataSource {
  private final Looking looking;

  private ServerPool(HikariConfig config, Looking looking) {
    super(config);
    this.looking = looking;
  }

  static ServerPool open(HikariConfig config, String jdbcUrl) {
    Looking looking =
        new Looking(new DriverDataSource(jdbcUrl, null, new Properties(), null, null));
    config.setDataSource(looking);
    return new ServerPool(config, looking);
  }

  @Override
  public Connection getConnection() throws SQLException {
    try {
      return super.getConnection();
    } catch (SQLException e) {
      // The pool does not know why nothing comes.
      Optional<SQLException> why = looking.failure;
      throw why.isPresent() ? new SQLTransientConnectionException(e.getMessage(), why.get()) : e;
    }
  }

  @Override
  public void close() {
    looking.closed.countDown();
    super.close();
  }

  /** Does not come back without a connection from a server that is merely away. */
  private static final class Looking extends DelegatingSource {
    private final DataSource driver;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final LookingPace pace = new LookingPace();
    private volatile Optional<SQLException> failure = Optional.empty();

    Looking(DataSource driver) {
      super(driver);
      this.driver = driver;
    }

    @Override
    public Connection getConnection() throws SQLException {
      while (true) {
        try {
          Connection connection = driver.getConnection();
          failure = Optional.empty();
          pace.found();
          return connection;
        } catch (SQLException e) {
          failure = Optional.of(e);
          if (!Failures.isAway(e) || !paused(pace.pauseMillis(e))) {
            throw e;
          }
        }
      }
    }

    /** False when the pool is being closed. */
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
