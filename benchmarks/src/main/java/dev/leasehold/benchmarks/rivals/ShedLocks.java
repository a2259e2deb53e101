package dev.leasehold.benchmarks.rivals;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** ShedLock on PostgreSQL, by the server's time. It cannot wait, so a waiter asks again. */
public final class ShedLocks implements Locks {
  private static final Duration AT_MOST = Duration.ofSeconds(30);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(10);

  private final HikariDataSource pool;
  private final LockProvider provider;

  private ShedLocks(HikariDataSource pool) {
    this.pool = pool;
    this.provider =
        new JdbcTemplateLockProvider(
            JdbcTemplateLockProvider.Configuration.builder()
                .withJdbcTemplate(new JdbcTemplate(pool))
                .usingDbTime()
                .build());
  }

  public static Locks open(String url, int connections) {
    HikariDataSource pool = Pools.open(url, connections);
    new JdbcTemplate(pool)
        .execute(
            """
            CREATE TABLE IF NOT EXISTS shedlock (
              name varchar(64) NOT NULL, lock_until timestamp NOT NULL,
              locked_at timestamp NOT NULL, locked_by varchar(255) NOT NULL, PRIMARY KEY (name))
            """);
    return new ShedLocks(pool);
  }

  @Override
  public void whileHeld(String key, Runnable work) {
    Optional<SimpleLock> lock = tryLock(key);
    while (lock.isEmpty()) {
      LockSupport.parkNanos(BETWEEN_TRIES.toNanos());
      lock = tryLock(key);
    }
    work.run();
    lock.get().unlock();
  }

  private Optional<SimpleLock> tryLock(String key) {
    return provider.lock(new LockConfiguration(ClockProvider.now(), key, AT_MOST, Duration.ZERO));
  }

  @Override
  public void close() {
    pool.close();
  }
}
