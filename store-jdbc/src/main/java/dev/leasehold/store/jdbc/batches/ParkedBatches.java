package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Ticker;
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
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Batches with commands on rows that other transactions have locked. They wait here without
 * occupying a thread of a lane: a timer asks, in one statement for all, which rows are still
 * locked, and then each batch with an unlocked row continues. When its time is over, a batch
 * answers its open commands with "the row is locked".
 */
final class ParkedBatches<K, C, S> implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ParkedBatches.class.getName());
  private static final long LOOK_EVERY_MILLIS = 20;

  /** For batches in which no other command has an answer that is held back. */
  static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** For batches with answers for other callers, who have nothing to do with the locked row. */
  static final Duration TIMEOUT_OF_OTHERS = Duration.ofMillis(50);

  private final Table<K, C, S> table;
  private final Lane lane;
  private final Supplier<Attempts> attempts;
  private final Ticker ticker = Ticker.system();
  private final List<Parked<K, C, S>> parked = new ArrayList<>();
  private boolean looking;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("leasehold-parking").factory());

  ParkedBatches(Table<K, C, S> table, Lane lane, Supplier<Attempts> attempts) {
    this.table = table;
    this.lane = lane;
    this.attempts = attempts;
  }

  private record Parked<K, C, S>(
      TableBatch<K, C, S> batch, long deadlineNanos, CompletableFuture<List<S>> answer) {
    void end() {
      answer.complete(batch.end());
    }
  }

  /** Completes when all commands of the batch are settled, or its time is over. */
  CompletionStage<List<S>> park(TableBatch<K, C, S> batch) {
    Duration timeout = batch.hasAnswers() ? TIMEOUT_OF_OTHERS : TIMEOUT;
    Parked<K, C, S> one =
        new Parked<>(batch, ticker.nanos() + timeout.toNanos(), new CompletableFuture<>());
    park(List.of(one));
    return one.answer();
  }

  private synchronized void park(List<Parked<K, C, S>> more) {
    parked.addAll(more);
    if (timer.isShutdown()) {
      // The timer may have been stopped before the look that it had scheduled.
      takeAll().forEach(Parked::end);
    } else if (!looking && !parked.isEmpty()) {
      var unused = timer.schedule(this::look, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
      looking = true;
    }
  }

  private synchronized List<Parked<K, C, S>> takeAll() {
    List<Parked<K, C, S>> taken = List.copyOf(parked);
    parked.clear();
    return taken;
  }

  private synchronized List<Parked<K, C, S>> takeOverdue() {
    long now = ticker.nanos();
    List<Parked<K, C, S>> overdue =
        parked.stream().filter(one -> now - one.deadlineNanos() >= 0).toList();
    parked.removeAll(overdue);
    return overdue;
  }

  /** Runs on the timer's thread, which never waits for the database. */
  private void look() {
    takeOverdue().forEach(Parked::end);
    var unused =
        lane.submit(
                () -> {
                  List<Parked<K, C, S>> taken = takeAll();
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

  /** Runs on a thread of the lane. */
  private void goOn(List<Parked<K, C, S>> taken) {
    if (taken.isEmpty()) {
      return;
    }
    Set<K> locked = stillLocked(taken);
    List<Parked<K, C, S>> left = new ArrayList<>();
    for (Parked<K, C, S> one : taken) {
      boolean mayGoOn = !locked.containsAll(one.batch().waitingFor());
      if (mayGoOn && one.batch().advance(locked)) {
        one.end();
      } else {
        left.add(one);
      }
    }
    park(left);
  }

  private Set<K> stillLocked(List<Parked<K, C, S>> taken) {
    Set<K> keys = new HashSet<>();
    taken.forEach(one -> keys.addAll(one.batch().waitingFor()));
    try {
      return attempts
          .get()
          .run(
              connection -> {
                connection.autoCommit(true);
                return table.locked(connection, List.copyOf(keys));
              });
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "which rows are locked could not be asked", e);
      return keys;
    }
  }

  @Override
  public synchronized void close() {
    timer.shutdownNow();
    takeAll().forEach(Parked::end);
  }
}
