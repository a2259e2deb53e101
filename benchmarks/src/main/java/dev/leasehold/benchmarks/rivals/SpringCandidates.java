package dev.leasehold.benchmarks.rivals;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring's LockRegistryLeaderInitiator over its JdbcLockRegistry on PostgreSQL. */
public final class SpringCandidates implements Candidates {
  private final HikariDataSource pool;
  private final JdbcLockRegistry registry;
  private final List<LockRegistryLeaderInitiator> initiators = new CopyOnWriteArrayList<>();

  private SpringCandidates(HikariDataSource pool, Duration ttl) {
    this.pool = pool;
    this.registry = new JdbcLockRegistry(SpringLocks.repository(pool), ttl);
  }

  public static Candidates open(String url, int connections, Duration ttl) {
    HikariDataSource pool = Pools.open(url, connections);
    SpringLocks.createTable(pool);
    return new SpringCandidates(pool, ttl);
  }

  @Override
  public void stand(String name, Runnable elected) {
    LockRegistryLeaderInitiator initiator =
        new LockRegistryLeaderInitiator(
            registry,
            new DefaultCandidate("candidate", name) {
              @Override
              public void onGranted(Context context) {
                elected.run();
              }
            });
    initiator.start();
    initiators.add(initiator);
  }

  @Override
  public void close() {
    Candidates.endAll(initiators, LockRegistryLeaderInitiator::stop);
    pool.close();
  }
}
