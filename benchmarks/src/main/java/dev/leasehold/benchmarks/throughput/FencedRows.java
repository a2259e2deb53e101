package dev.leasehold.benchmarks.throughput;

import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.benchmarks.rivals.Pools;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Guard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import javax.sql.DataSource;

/**
 * One update of one row, bare and through each fence on JDBC, all under one lease. Each update
 * takes a connection from a pool and prepares its statement, as applications do; updates in the
 * leases' own database use the store's pool.
 */
final class FencedRows implements AutoCloseable {
  static final int CONNECTIONS = 32;

  /** Each caller has its own rows, so no caller waits for another's. */
  static final int ROWS_A_CALLER = 100;

  private static final int FOR_THE_STORE = 10;
  private static final String KEY = "lock/fences";
  private static final String PLAIN = "UPDATE paid SET times = times + 1 WHERE id = ?";
  private static final String GUARDED = "UPDATE guarded SET times = times + 1 WHERE id = ?";

  private final HikariDataSource pool;
  private final HikariDataSource elsewhere;
  private final JdbcStore store;
  private final Leases leases;
  private final Lease lease;
  private final Claim claim;
  private final AtEffect effects;
  private final String riding;
  private final JdbcFence mark;

  FencedRows(PostgresServer postgres) throws SQLException, InterruptedException {
    pool = Pools.open(postgres.url(), CONNECTIONS + FOR_THE_STORE);
    elsewhere = Pools.open(postgres.another("elsewhere"), CONNECTIONS);
    store = JdbcStore.on(pool).migrate().open();
    leases = Leases.on(store).holder("benchmark").open();
    lease =
        switch (leases.tryAcquire(LeaseRequest.of(KEY).ttl(LeaseLocks.TTL))) {
          case Acquisition.Acquired acquired -> acquired.lease();
          case Acquisition other -> throw new IllegalStateException("not acquired: " + other);
        };
    claim = lease.claim();
    effects = store.atEffect("paid", new RefusalTrail(InstantSource.system()));
    riding = PLAIN + " AND " + effects.fragment();
    mark = JdbcFence.before("paid", elsewhere);
    createTables();
  }

  private void createTables() throws SQLException {
    create(pool, "paid");
    create(pool, "guarded");
    create(elsewhere, "paid");
    Guard unused =
        store.guards().install(Guard.byColumn("guarded", "lease")).toCompletableFuture().join();
    try (Connection connection = elsewhere.getConnection()) {
      JdbcFence.createTables(connection);
    }
    require(mark.seal(claim) instanceof Admission.Admitted);
  }

  private static void create(DataSource source, String table) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          DROP TABLE IF EXISTS %1$s;
          CREATE TABLE %1$s (id integer PRIMARY KEY, lease text NOT NULL, times bigint NOT NULL,
                             rest text NOT NULL) WITH (fillfactor = 50);
          INSERT INTO %1$s
          SELECT id, '%2$s', 0, repeat('-', 100) FROM generate_series(0, %3$d) AS id
          """
              .formatted(table, KEY, CONNECTIONS * ROWS_A_CALLER - 1));
      statement.execute("VACUUM ANALYZE " + table);
    }
  }

  void bareAutoCommit(int row) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      update(connection, PLAIN, row);
    }
  }

  void bareInTransaction(int row) throws SQLException {
    inTransaction(connection -> update(connection, PLAIN, row));
  }

  void change(int row) throws SQLException {
    require(effects.change(lease, connection -> update(connection, PLAIN, row)));
  }

  void check(int row) throws SQLException {
    inTransaction(
        connection -> {
          effects.check(connection, lease);
          return update(connection, PLAIN, row);
        });
  }

  void fragment(int row) throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(riding)) {
      statement.setInt(1, row);
      effects.bind(statement, 2, claim, lease.trust());
      require(statement.executeUpdate() == 1);
    }
  }

  void mark(int row) throws SQLException {
    require(mark.change(claim, connection -> update(connection, PLAIN, row)));
  }

  void guardedByBring(int row) throws SQLException {
    inTransaction(
        connection -> {
          AtEffect.Brought brought = effects.bring(connection, claim);
          int updated = update(connection, GUARDED, row);
          brought.close();
          return updated;
        });
  }

  void guardedByChange(int row) throws SQLException {
    require(effects.change(lease, connection -> update(connection, GUARDED, row)));
  }

  /** Work between the beginning and the commit. */
  private interface InTransaction {
    int run(Connection connection) throws SQLException;
  }

  private void inTransaction(InTransaction work) throws SQLException {
    try (Connection connection = pool.getConnection()) {
      connection.setAutoCommit(false);
      require(work.run(connection) == 1);
      connection.commit();
    }
  }

  private static int update(Connection connection, String sql, int row) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setInt(1, row);
      return statement.executeUpdate();
    }
  }

  private static void require(Changed<Integer> changed) {
    require(changed instanceof Changed.Made<Integer> made && made.result() == 1);
  }

  private static void require(boolean updated) {
    if (!updated) {
      throw new IllegalStateException("a row was not updated");
    }
  }

  @Override
  public void close() {
    leases.close();
    store.close();
    elsewhere.close();
    pool.close();
  }
}
