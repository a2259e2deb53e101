package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
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
  private static final long LOOK_SECONDS = 1;
  private static final long LOOK_AT_ALL_SECONDS = 15;

  private static final long CLOSING_SECONDS = 3;

  private final ConnectionSource sessions;
  private final RollbackDetector sentry;
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leasehold-caretaker").factory());

  public HealthLoop(ConnectionSource sessions, RollbackDetector sentry) {
    this.sessions = sessions;
    this.sentry = sentry;
  }

  public void start() {
    var looking =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> look(sentry::checkPosition)),
            LOOK_SECONDS,
            LOOK_SECONDS,
            TimeUnit.SECONDS);
    var lookingAtAll =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> look(sentry::checkAll)),
            LOOK_AT_ALL_SECONDS,
            LOOK_AT_ALL_SECONDS,
            TimeUnit.SECONDS);
    assert looking != null && lookingAtAll != null;
  }

  /** Adds a task for each round; it must be short. */
  public void eachRound(Runnable chore) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(chore::run), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** Adds a check on the database for each round. */
  public void eachLook(Look look) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> use(look)), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private interface Round {
    void run() throws SQLException;
  }

  /** Runs a step; a failed one is tried again in the next round. */
  private static void calmly(Round round) {
    try {
      round.run();
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a round of the store's caretaker failed", e);
    }
  }

  /** A check on a connection. */
  public interface Look {
    void at(StoreConnection session) throws SQLException;
  }

  /**
   * The witness files are written even while the database is away, since it may come back without
   * these writes.
   */
  private void look(Look look) throws SQLException {
    try {
      use(look);
    } finally {
      sentry.writeFile();
    }
  }

  private void use(Look look) throws SQLException {
    boolean unused =
        sessions.use(
            session -> {
              session.autoCommit(true);
              look.at(session);
              sentry.renewLink(session);
              return true;
            });
  }

  /** Checks now, before the next round is due. */
  public void lookNow() {
    try {
      rounds.execute(() -> calmly(() -> look(sentry::checkAll)));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed", e);
    }
  }

  /** Also writes what was seen last. */
  @Override
  public void close() {
    lookNow();
    rounds.shutdown();
    try {
      if (!rounds.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        rounds.shutdownNow();
      }
    } catch (InterruptedException e) {
      rounds.shutdownNow();
      Thread.currentThread().interrupt();
    }
    sessions.close();
  }
}
