package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Lane;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Batches with commands on rows that other transactions have locked. They wait here, and no thread
 * of a lane with them: a timer asks, in one statement for all, which rows are still locked, and
 * lets those batches go on that have something to do. When its patience is over, a batch answers
 * for what is left that its row is locked.
 */
final class Parking implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Parking.class.getName());
  private static final long LOOK_EVERY_MILLIS = 20;

  /** For commands that keep no other command of their batch waiting. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** For a batch that has answers for others: they are strangers to the locked row. */
  static final Duration PATIENCE_OF_OTHERS = Duration.ofMillis(50);

  private final Lane lane;
  private final Supplier<Attempts> attempts;
  private final Ticker ticker = Ticker.system();
  private final List<Parked> parked = new ArrayList<>();
  private boolean looking;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leasehold-parking").factory());

  Parking(Lane lane, Supplier<Attempts> attempts) {
    this.lane = lane;
    this.attempts = attempts;
  }

  private record Parked(
      ServerBatch batch, long deadlineNanos, CompletableFuture<List<Settled>> answer) {
    void end() {
      answer.complete(batch.end());
    }
  }

  /** Until everything in it is settled, or its patience is over. */
  CompletionStage<List<Settled>> park(ServerBatch batch) {
    Duration patience = batch.hasAnswers() ? PATIENCE_OF_OTHERS : PATIENCE;
    Parked one = new Parked(batch, ticker.nanos() + patience.toNanos(), new CompletableFuture<>());
    park(List.of(one));
    return one.answer();
  }

  private synchronized void park(List<Parked> more) {
    parked.addAll(more);
    if (!looking && !parked.isEmpty()) {
      try {
        var unused = timer.schedule(this::look, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
        looking = true;
      } catch (RejectedExecutionException e) {
        takeAll().forEach(Parked::end);
      }
    }
  }

  private synchronized List<Parked> takeAll() {
    List<Parked> taken = List.copyOf(parked);
    parked.clear();
    return taken;
  }

  private synchronized List<Parked> takeOverdue() {
    long now = ticker.nanos();
    List<Parked> overdue = parked.stream().filter(one -> now - one.deadlineNanos() >= 0).toList();
    parked.removeAll(overdue);
    return overdue;
  }

  /** On the timer's thread, which never waits for the database. */
  private void look() {
    takeOverdue().forEach(Parked::end);
    var unused =
        lane.submit(
                () -> {
                  List<Parked> taken = takeAll();
                  try {
                    goOn(taken);
                  } catch (RuntimeException e) {
                    taken.forEach(Parked::end);
                    throw e;
                  }
                  return true;
                })
            .whenComplete((done, failure) -> lookAgain());
  }

  private void lookAgain() {
    synchronized (this) {
      looking = false;
    }
    park(List.of());
  }

  /** On a thread of the lane. */
  private void goOn(List<Parked> taken) {
    if (taken.isEmpty()) {
      return;
    }
    Set<LeaseKey> locked = stillLocked(taken);
    List<Parked> left = new ArrayList<>();
    for (Parked one : taken) {
      boolean mayGoOn = !locked.containsAll(one.batch().waitingFor());
      if (mayGoOn && one.batch().advance(locked)) {
        one.end();
      } else {
        left.add(one);
      }
    }
    park(left);
  }

  private Set<LeaseKey> stillLocked(List<Parked> taken) {
    Set<LeaseKey> keys = new HashSet<>();
    taken.forEach(one -> keys.addAll(one.batch().waitingFor()));
    try {
      return attempts
          .get()
          .run(
              session -> {
                session.autoCommit(true);
                return RuledBatch.locked(session, List.copyOf(keys));
              });
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "which rows are locked could not be asked", e);
      return keys;
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    takeAll().forEach(Parked::end);
  }
}
