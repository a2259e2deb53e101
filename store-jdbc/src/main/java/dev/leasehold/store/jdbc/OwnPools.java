package dev.leasehold.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.ServerPool;
import dev.leasehold.store.jdbc.opening.Opening;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The pools that a store has created itself, one for each name. */
final class OwnPools implements AutoCloseable {
  private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(3);

  private final List<HikariDataSource> pools = new ArrayList<>();
  private boolean closed;

  /** One pool, and the search path of its connections. */
  record Plan(String name, int size, SearchPath path) {}

  synchronized DataSource open(String url, Plan plan) {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
    Optional<HikariDataSource> known =
        pools.stream().filter(pool -> pool.getPoolName().equals(plan.name())).findFirst();
    return known.isPresent() ? known.get() : make(url, plan);
  }

  private DataSource make(String url, Plan plan) {
    Dialect dialect = Dialect.ofUrl(url);
    String jdbcUrl = dialect.jdbcUrl(url);
    Opening.requireDriver(jdbcUrl, dialect.driverArtifact());
    HikariConfig config = new HikariConfig();
    config.setPoolName(plan.name());
    config.setMaximumPoolSize(plan.size());
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECTION_TIMEOUT.toMillis());
    config.setInitializationFailTimeout(-1);
    HikariDataSource source =
        dialect.isFile()
            ? ofFile(config, jdbcUrl, dialect)
            : ServerPool.open(config, jdbcUrl, dialect, plan.path());
    pools.add(source);
    return source;
  }

  private static HikariDataSource ofFile(HikariConfig config, String jdbcUrl, Dialect dialect) {
    boolean unused = Opening.within(() -> Opening.requireFile(jdbcUrl, dialect));
    config.setJdbcUrl(jdbcUrl);
    // Otherwise the driver queries the last row's id after each insert.
    config.addDataSourceProperty("jdbc.get_generated_keys", "false");
    return new HikariDataSource(config);
  }

  @Override
  public synchronized void close() {
    closed = true;
    pools.forEach(HikariDataSource::close);
  }
}
