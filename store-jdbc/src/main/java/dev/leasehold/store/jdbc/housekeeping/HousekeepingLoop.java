package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.fence.Token;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Tidies a store in the background, in rounds, if this process has the lease for it. A round
 * continues where the last one of any process ended, and stops after a few pages with little to
 * remove, so that a table with nothing to tidy is read slowly.
 */
public final class HousekeepingLoop implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HousekeepingLoop.class.getName());
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(15);
  private static final long CLOSING_SECONDS = 3;

  /** A round of a table ends after this many pages with little to remove. */
  public static final int IDLE_PAGES = 4;

  private final Housekeeping housekeeping;
  private final HousekeepingLease lease;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ScheduledThreadPoolExecutor rounds =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().daemon().name("leasehold-tidier").factory());

  public HousekeepingLoop(Housekeeping housekeeping, HousekeepingLease lease) {
    this.housekeeping = housekeeping;
    this.lease = lease;
    rounds.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  public void start() {
    next(BETWEEN_ROUNDS);
  }

  private void next(Duration delay) {
    if (closing.getCount() > 0) {
      var unused = rounds.schedule(this::run, delay.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void run() {
    Duration delay = BETWEEN_ROUNDS;
    try {
      delay = BETWEEN_ROUNDS.plus(round());
    } catch (SQLException | RuntimeException e) {
      LOG.log(Level.DEBUG, "a round of housekeeping failed", e);
    }
    try {
      next(delay);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the store is closed", e);
    }
  }

  /**
   * Runs a round if this process has the lease; otherwise returns how long another process has it.
   */
  public Duration round() throws SQLException {
    return switch (lease.take()) {
      case HousekeepingLease.HeldElsewhere theirs -> theirs.remaining();
      case HousekeepingLease.HeldHere ours -> {
        tidy();
        yield Duration.ZERO;
      }
    };
  }

  private void tidy() throws SQLException {
    long unused = housekeeping.trimChanges();
    Map<String, Place> places = housekeeping.places();
    for (Chore chore : housekeeping.chores()) {
      try {
        goThrough(chore, places.getOrDefault(chore.name(), Place.START));
      } catch (Housekeeping.Superseded e) {
        lease.lost();
        return;
      } catch (SQLException e) {
        LOG.log(Level.DEBUG, "housekeeping of " + chore.name() + " goes on in the next round", e);
      }
    }
  }

  /**
   * Tidies from the recorded place. The new place is recorded at the end if no page has done so.
   */
  private void goThrough(Chore chore, Place from) throws SQLException {
    Place place = from;
    Place written = from;
    int idle = 0;
    while (idle < IDLE_PAGES
        && !Housekeeping.isEnd(place)
        && lease.take() instanceof HousekeepingLease.HeldHere(Token token)) {
      Housekeeping.PageResult done = housekeeping.tidy(chore, place, token);
      place = done.next();
      written = done.removed() > 0 ? place : written;
      idle += done.isIdle() ? 1 : 0;
      if (pause(done)) {
        break;
      }
    }
    Place reached = Housekeeping.isEnd(place) ? Place.START : place;
    boolean moved = !reached.equals(Housekeeping.isEnd(written) ? Place.START : written);
    if (moved && lease.take() instanceof HousekeepingLease.HeldHere(Token token)) {
      housekeeping.move(chore, reached, token);
    }
  }

  /** Pauses to let others write; true if the store is being closed. */
  private boolean pause(Housekeeping.PageResult done) {
    try {
      return closing.await(done.pauseNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  /** Ends after the current page. */
  @Override
  public void close() {
    closing.countDown();
    rounds.shutdown();
    try {
      if (rounds.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS)) {
        lease.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
