package dev.leasehold.benchmarks.rivals;

import com.zaxxer.hikari.HikariDataSource;
import java.util.concurrent.locks.Lock;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** Spring Integration's JdbcLockRegistry on PostgreSQL, with the statements that it advises. */
public final class SpringLocks implements Locks {
  private final HikariDataSource pool;
  private final JdbcLockRegistry registry;

  private SpringLocks(HikariDataSource pool) {
    this.pool = pool;
    this.registry = new JdbcLockRegistry(repository(pool));
  }

  static DefaultLockRepository repository(HikariDataSource pool) {
    DefaultLockRepository repository = new DefaultLockRepository(pool);
    repository.setTransactionManager(new JdbcTransactionManager(pool));
    // As the reference manual advises for PostgreSQL: no exception for a key that is held.
    repository.setInsertQuery(repository.getInsertQuery() + " ON CONFLICT DO NOTHING");
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    repository.start();
    return repository;
  }

  public static Locks open(String url, int connections) {
    HikariDataSource pool = Pools.open(url, connections);
    createTable(pool);
    return new SpringLocks(pool);
  }

  static void createTable(HikariDataSource pool) {
    new JdbcTemplate(pool)
        .execute(
            """
            CREATE TABLE IF NOT EXISTS int_lock (
              lock_key char(36) NOT NULL, region varchar(100) NOT NULL, client_id char(36),
              created_date timestamp NOT NULL, expired_after timestamp NOT NULL,
              CONSTRAINT int_lock_pk PRIMARY KEY (lock_key, region))
            """);
  }

  @Override
  public void whileHeld(String key, Runnable work) {
    Lock lock = registry.obtain(key);
    lock.lock();
    try {
      work.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
