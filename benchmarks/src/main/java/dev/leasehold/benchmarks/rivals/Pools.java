package dev.leasehold.benchmarks.rivals;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Pools of connections to PostgreSQL for the contestants. */
public final class Pools {
  private Pools() {}

  public static HikariDataSource open(String url, int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(connections);
    return new HikariDataSource(config);
  }
}
