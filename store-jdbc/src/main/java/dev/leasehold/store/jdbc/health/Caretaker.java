package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What a store does by itself in the background: it looks whether the database is where it was,
 * makes its chain longer, and writes the witness files.
 */
public final class Caretaker implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Caretaker.class.getName());
  private static final long LOOK_SECONDS = 1;
  private static final long LOOK_AT_ALL_SECONDS = 15;

  private static final long CLOSING_SECONDS = 3;

  private final Sessions sessions;
  private final Sentry sentry;
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leasehold-caretaker").factory());

  public Caretaker(Sessions sessions, Sentry sentry) {
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

  /** For what else has to be looked at now and then; it must not take long. */
  public void eachRound(Runnable chore) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(chore::run), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  /** For what has to be looked at in the database as often. */
  public void eachLook(Look look) {
    var unused =
        rounds.scheduleWithFixedDelay(
            () -> calmly(() -> use(look)), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
  }

  private interface Round {
    void run() throws SQLException;
  }

  /** What fails is tried again in the next round. */
  private static void calmly(Round round) {
    try {
      round.run();
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a round of the store's caretaker failed", e);
    }
  }

  /** What is done with a session. */
  public interface Look {
    void at(Session session) throws SQLException;
  }

  /** What was seen is written down also while the database is away: it may come back without. */
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

  /** Before the next round is due. */
  public void lookNow() {
    try {
      rounds.execute(() -> calmly(() -> look(sentry::checkAll)));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed", e);
    }
  }

  /** What was seen last is written down too. */
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
