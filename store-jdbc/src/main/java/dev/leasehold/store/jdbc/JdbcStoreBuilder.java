package dev.leasehold.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.kernel.spi.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Settings of a {@link JdbcLeaseStore}. Nothing needs to be set. */
public final class JdbcStoreBuilder {
  private static final int POOL_SIZE = 6;
  private static final Duration CONNECTION_PATIENCE = Duration.ofSeconds(4);

  private final Optional<String> url;
  private final Optional<DataSource> given;
  private Optional<Dialect> dialect = Optional.empty();
  private Optional<Limits> limits = Optional.empty();
  private boolean migrating;

  private JdbcStoreBuilder(Optional<String> url, Optional<DataSource> given) {
    this.url = url;
    this.given = given;
  }

  static JdbcStoreBuilder at(String url) {
    JdbcStoreBuilder builder = new JdbcStoreBuilder(Optional.of(url), Optional.empty());
    builder.dialect = Optional.of(Dialect.ofUrl(url));
    return builder;
  }

  static JdbcStoreBuilder on(DataSource source) {
    return new JdbcStoreBuilder(Optional.empty(), Optional.of(source));
  }

  /** Creates or upgrades the schema first. Processes that start together do it once. */
  public JdbcStoreBuilder migrate() {
    migrating = true;
    return this;
  }

  /** What {@link #migrate()} runs on an empty database of this URL's kind; for people to read. */
  public String migrations() {
    return new Migrations(dialect.orElseThrow()).text();
  }

  /**
   * Creates or upgrades the schema and opens nothing.
   *
   * @return the steps that were missing, in order
   * @throws StoreUnusableException with the sentence that says what to do
   */
  public List<String> migrateOnly() {
    List<HikariDataSource> pools = new ArrayList<>();
    try {
      DataSource pool = given.orElseGet(() -> pool(pools, "leasehold-migration", 1));
      Dialect chosen = dialect.isPresent() ? dialect.get() : dialectOf(pool);
      List<String> steps;
      try (Session session = new Session(pool.getConnection(), chosen.sql())) {
        steps = session.inTransaction(new Migrations(chosen)::apply);
      }
      // Also finds a schema that is too new.
      prepare(pool, chosen);
      return steps;
    } catch (SQLException e) {
      throw new StoreUnusableException("the store cannot be opened: " + e.getMessage(), e);
    } finally {
      closeAll(pools);
    }
  }

  /** Other bounds than the dialect's own. */
  public JdbcStoreBuilder limits(Limits newLimits) {
    limits = Optional.of(newLimits);
    return this;
  }

  /** For the tests of a dialect on another's server. */
  JdbcStoreBuilder dialect(Dialect newDialect) {
    dialect = Optional.of(newDialect);
    return this;
  }

  /**
   * Opens the store.
   *
   * @throws StoreUnusableException with the sentence that says what to do
   */
  public JdbcLeaseStore open() {
    List<HikariDataSource> pools = new ArrayList<>();
    try {
      DataSource pool = given.orElseGet(() -> pool(pools, "leasehold", POOL_SIZE));
      Dialect chosen = dialect.isPresent() ? dialect.get() : dialectOf(pool);
      prepare(pool, chosen);
      DataSource renewals =
          given.isPresent() || chosen == Dialect.SQLITE
              ? pool
              : pool(pools, "leasehold-renewals", 1);
      Limits bounds = limits.orElse(chosen.limits());
      Engine engine =
          chosen == Dialect.SQLITE
              ? new SqliteEngine(chosen.sql(), pool, bounds)
              : new ServerEngine(chosen.sql(), pool, renewals, bounds);
      return new JdbcLeaseStore(engine, bounds, new Hints(), () -> closeAll(pools));
    } catch (SQLException e) {
      closeAll(pools);
      throw new StoreUnusableException("the store cannot be opened: " + e.getMessage(), e);
    } catch (RuntimeException e) {
      closeAll(pools);
      throw e;
    }
  }

  private static void closeAll(List<HikariDataSource> pools) {
    pools.forEach(HikariDataSource::close);
  }

  private HikariDataSource pool(List<HikariDataSource> pools, String name, int size) {
    HikariConfig config = new HikariConfig();
    String text = url.orElseThrow();
    config.setJdbcUrl(Dialect.ofUrl(text).jdbcUrl(text));
    config.setPoolName(name);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECTION_PATIENCE.toMillis());
    config.setInitializationFailTimeout(-1);
    HikariDataSource source = new HikariDataSource(config);
    pools.add(source);
    return source;
  }

  private static Dialect dialectOf(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return Dialect.of(connection);
    }
  }

  private void prepare(DataSource source, Dialect chosen) throws SQLException {
    Migrations migrations = new Migrations(chosen);
    try (Session session = new Session(source.getConnection(), chosen.sql())) {
      if (migrating) {
        List<String> unused = session.inTransaction(migrations::apply);
      }
      session.autoCommit(true);
      switch (migrations.state(session)) {
        case Migrations.Current current -> {}
        case Migrations.Missing missing ->
            throw new StoreUnusableException(
                "the database has no schema for leases: run leasehold migrate");
        case Migrations.Behind behind ->
            throw new StoreUnusableException(
                "the schema is at version "
                    + behind.version()
                    + ", older than this release needs: run leasehold migrate");
        case Migrations.TooNew tooNew ->
            throw new StoreUnusableException(
                "the schema is of release 0."
                    + tooNew.minor()
                    + ", too new for this one: upgrade this process");
      }
    }
  }
}
