package dev.leasehold.verification.simulation;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which transactions have a row of a database locked, and which wait for it, in order. */
final class RowLocks {
  private final World world;
  private final Map<String, Row> rows = new TreeMap<>();

  /** As PostgreSQL has them, from the weakest on. */
  enum Mode {
    KEY_SHARE,
    NO_KEY_UPDATE,
    UPDATE;

    boolean conflictsWith(Mode other) {
      return this == UPDATE || other == UPDATE || (this == NO_KEY_UPDATE && other == this);
    }
  }

  /** A row, and the mode of the lock. */
  record Wanted(String row, Mode mode) {}

  /** What to do when the row is locked, or when that took too long. */
  record Waiting(long forNanos, Runnable locked, Runnable inVain) {}

  private record Held(Transaction by, Mode mode) {}

  private static final class Row {
    final List<Held> held = new ArrayList<>();
    final List<Waiter> queue = new ArrayList<>();

    boolean admits(Transaction transaction, Mode mode) {
      return held.stream()
          .allMatch(lock -> lock.by() == transaction || !lock.mode().conflictsWith(mode));
    }
  }

  private record Waiter(Transaction by, Mode mode, Waiting waiting) {}

  RowLocks(World world) {
    this.world = world;
  }

  /** Whether another transaction keeps this one from the row. */
  boolean isLocked(Transaction transaction, Wanted wanted) {
    return !of(wanted.row()).admits(transaction, wanted.mode());
  }

  /** Skips a row that is locked. */
  boolean tryLock(Transaction transaction, Wanted wanted) {
    Row row = of(wanted.row());
    boolean admitted = row.admits(transaction, wanted.mode());
    if (admitted) {
      row.held.add(new Held(transaction, wanted.mode()));
    }
    return admitted;
  }

  /** Waits for its turn, up to the given time. */
  void lock(Transaction transaction, Wanted wanted, Waiting waiting) {
    Row row = of(wanted.row());
    if (row.queue.isEmpty() && tryLock(transaction, wanted)) {
      waiting.locked().run();
      return;
    }
    Waiter waiter = new Waiter(transaction, wanted.mode(), waiting);
    row.queue.add(waiter);
    world.after(
        waiting.forNanos(),
        () -> {
          if (row.queue.remove(waiter)) {
            waiting.inVain().run();
            serve(row);
          }
        });
  }

  /** Ends all locks of a transaction, and all its waiting. */
  void release(Transaction transaction) {
    for (Row row : List.copyOf(rows.values())) {
      boolean held = row.held.removeIf(lock -> lock.by() == transaction);
      List<Waiter> waited =
          row.queue.stream().filter(waiter -> waiter.by() == transaction).toList();
      row.queue.removeAll(waited);
      waited.forEach(waiter -> world.after(0, waiter.waiting().inVain()));
      if (held || !waited.isEmpty()) {
        serve(row);
      }
    }
    rows.values().removeIf(row -> row.held.isEmpty() && row.queue.isEmpty());
  }

  private void serve(Row row) {
    List<Waiter> served = new ArrayList<>();
    Iterator<Waiter> queue = row.queue.iterator();
    while (queue.hasNext()) {
      Waiter next = queue.next();
      if (!row.admits(next.by(), next.mode())) {
        break;
      }
      queue.remove();
      row.held.add(new Held(next.by(), next.mode()));
      served.add(next);
    }
    served.forEach(waiter -> world.after(0, waiter.waiting().locked()));
  }

  private Row of(String row) {
    return rows.computeIfAbsent(row, name -> new Row());
  }
}
