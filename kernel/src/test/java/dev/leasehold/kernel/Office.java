package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Scheduler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * A memory store and processes that use it, in time that a test turns. Unlike the worlds of the
 * state machines this one has threads: those that block in {@link Leases}.
 */
final class Office {
  private static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private final MemoryLeaseStore memory =
      new MemoryLeaseStore(
          () -> Instant.ofEpochMilli(START + nanos() / 1_000_000), Limits.SINGLE_NODE);
  private long nowNanos;
  private long scheduled;
  private volatile boolean gone;

  /** What every process here uses; it can go away. */
  final LeaseStore store =
      (LeaseStore)
          Proxy.newProxyInstance(
              Office.class.getClassLoader(),
              new Class<?>[] {LeaseStore.class},
              (proxy, method, arguments) ->
                  gone && method.getName().equals("apply")
                      ? new CompletableFuture<List<Outcome>>()
                      : method.invoke(memory, arguments));

  private record Task(long dueNanos, long number, Runnable work) {}

  private synchronized long nanos() {
    return nowNanos;
  }

  private synchronized Scheduler.Timer schedule(Runnable work, long delayNanos) {
    Task task = new Task(nowNanos + delayNanos, scheduled++, work);
    tasks.add(task);
    return () -> {
      synchronized (this) {
        tasks.remove(task);
      }
    };
  }

  /** A process of this name. */
  Leases process(String name) {
    return Leases.on(store).holder(name).ticker(this::nanos).scheduler(this::schedule).open();
  }

  /** Lets time pass; what falls due runs at its own moment, on this thread. */
  void advance(Duration by) {
    long endNanos = nanos() + by.toNanos();
    Optional<Task> next = next(endNanos);
    while (next.isPresent()) {
      next.get().work.run();
      next = next(endNanos);
    }
    synchronized (this) {
      nowNanos = endNanos;
    }
  }

  private synchronized Optional<Task> next(long endNanos) {
    if (tasks.isEmpty() || tasks.peek().dueNanos > endNanos) {
      return Optional.empty();
    }
    Task task = tasks.remove();
    nowNanos = Math.max(nowNanos, task.dueNanos);
    return Optional.of(task);
  }

  /** The processes stand still; what fell due runs at the next advance. */
  synchronized void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  synchronized int timers() {
    return tasks.size();
  }

  void storeGoes() {
    gone = true;
  }

  void storeComesBack() {
    gone = false;
  }

  /** Who has the key, by name. */
  Optional<String> holderOf(String key) {
    Optional<LeaseReading> reading = memory.read(new LeaseKey(key)).toCompletableFuture().join();
    return reading.flatMap(
        r ->
            r.record()
                .grant()
                .filter(g -> g.isUnexpired(r.atMillis()))
                .map(g -> g.terms().info().holder()));
  }

  /** An operator takes a key away. */
  void revoke(String key) {
    Command revoke =
        new Command.Revoke(
            new LeaseKey(key),
            new Operator("op"),
            new Explanation("stuck"),
            Command.Reopening.NOW,
            RequestId.random());
    memory.apply(List.of(revoke));
  }

  /** What happens to keys, from now on. */
  List<LeaseChange.Kind> changes() {
    List<LeaseChange.Kind> kinds = new ArrayList<>();
    memory.watch(
        "",
        new LeaseStore.ChangeListener() {
          @Override
          public void changed(LeaseChange change) {
            kinds.add(change.kind());
          }

          @Override
          public void reset() {
            kinds.clear();
          }
        });
    return kinds;
  }
}
