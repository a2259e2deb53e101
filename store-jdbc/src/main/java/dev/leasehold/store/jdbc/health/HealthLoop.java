package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The store's background loop: it checks that the database has not gone back, extends the chain,
 * and writes the witness files.
 */
public final class HealthLoop implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HealthLoop.class.getName());
  private static final long CHECK_SECONDS = 1;
  private static final long FULL_CHECK_SECONDS = 15;

  private static final Duration CLOSING = Duration.ofSeconds(3);

  private final ConnectionSource connections;
  private final RollbackDetector detector;
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leasehold-health").factory());

  public HealthLoop(ConnectionSource connections, RollbackDetector detector) {
    this.connections = connections;
    this.detector = detector;
  }

  public void start() {
    var checking =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> check(detector::checkPosition)),
            CHECK_SECONDS,
            CHECK_SECONDS,
            TimeUnit.SECONDS);
    var checkingAll =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> check(detector::checkAll)),
            FULL_CHECK_SECONDS,
            FULL_CHECK_SECONDS,
            TimeUnit.SECONDS);
    assert checking != null && checkingAll != null;
  }

  /** Adds a task for each round; it must be short. */
  public void eachRound(Runnable chore) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(chore::run), CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  /** Adds a check on the database for each round. */
  public void eachCheck(Check check) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> use(check)), CHECK_SECONDS, CHECK_SECONDS, TimeUnit.SECONDS);
  }

  private interface Round {
    void run() throws SQLException;
  }

  /** Runs a step; a failed one is tried again in the next round. */
  private static void calmly(Round round) {
    try {
      round.run();
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a check of the store failed", e);
    }
  }

  /** A check on a connection. */
  public interface Check {
    void at(StoreConnection connection) throws SQLException;
  }

  /**
   * The witness files are written even while the database is away, since it may come back without
   * these writes.
   */
  private void check(Check check) throws SQLException {
    try {
      use(check);
    } finally {
      detector.writeFile();
    }
  }

  private void use(Check check) throws SQLException {
    boolean unused =
        connections.use(
            connection -> {
              connection.autoCommit(true);
              check.at(connection);
              detector.renewLink(connection);
              return true;
            });
  }

  /** Checks now, before the next round is due. */
  public void checkNow() {
    try {
      rounds.execute(() -> calmly(() -> check(detector::checkAll)));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed", e);
    }
  }

  /** Also writes what was seen last. */
  @Override
  public void close() {
    checkNow();
    Lane.end(rounds, CLOSING);
    connections.close();
  }
}
