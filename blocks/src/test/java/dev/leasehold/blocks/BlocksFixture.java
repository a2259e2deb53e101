package dev.leasehold.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.LeasesBuilder;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A memory store and processes that use it, in time that the test controls. */
public final class BlocksFixture {
  private static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private final MemoryLeaseStore memory =
      new MemoryLeaseStore(
          () -> Instant.ofEpochMilli(START + nanos() / 1_000_000), Limits.SINGLE_NODE);
  private final List<Command> sent = new CopyOnWriteArrayList<>();
  private volatile Function<List<Command>, CompletionStage<List<Outcome>>> applying = memory::apply;
  private long nowNanos;
  private long scheduled;

  /** The store of all processes here; a test can intercept its batches. */
  private final LeaseStore store =
      (LeaseStore)
          Proxy.newProxyInstance(
              BlocksFixture.class.getClassLoader(),
              new Class<?>[] {LeaseStore.class},
              (proxy, method, arguments) ->
                  method.getName().equals("apply")
                      ? apply((List<?>) arguments[0])
                      : method.invoke(memory, arguments));

  private record Task(long dueNanos, long number, Runnable work) {}

  private CompletionStage<List<Outcome>> apply(List<?> batch) {
    List<Command> commands = batch.stream().map(Command.class::cast).toList();
    sent.addAll(commands);
    return applying.apply(commands);
  }

  /** Intercepts batches between the processes and the store. */
  public void storeTakesBatches(Function<List<Command>, CompletionStage<List<Outcome>>> how) {
    applying = how;
  }

  public void storeIsAsBefore() {
    applying = memory::apply;
  }

  /** Passes a batch on to the store itself. */
  public CompletionStage<List<Outcome>> behind(List<Command> batch) {
    return memory.apply(batch);
  }

  public List<Command> sent() {
    return List.copyOf(sent);
  }

  /** Waits until a thread that was woken has asked for this number of keys. */
  public void awaitSentTo(int keys) {
    while (sent.stream().map(Command::key).distinct().count() < keys) {
      Thread.onSpinWait();
    }
  }

  public Leases process(String name) {
    return builder(name).open();
  }

  /** Callbacks run at once, so that all effects of a test's step have happened when it returns. */
  public LeasesBuilder builder(String name) {
    return Leases.on(store)
        .holder(name)
        .ticker(this::nanos)
        .scheduler(this::schedule)
        .callbacks(Runnable::run);
  }

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

  /** Lets time pass; each timer fires at its own time, on this thread. */
  public void advance(Duration by) {
    long endNanos = nanos() + by.toNanos();
    for (Optional<Task> next = next(endNanos); next.isPresent(); next = next(endNanos)) {
      next.get().work.run();
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

  /** Suspends the processes; timers that fell due fire at the next advance. */
  public synchronized void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  /** The leases of the store, without what a test intercepts. */
  public LeaseStore leases() {
    return memory;
  }

  /** The name of the key's holder. */
  public Optional<String> holderOf(String key) {
    return memory
        .read(new LeaseKey(key))
        .toCompletableFuture()
        .join()
        .flatMap(r -> r.record().grant().filter(grant -> grant.isUnexpired(r.atMillis())))
        .map(grant -> grant.terms().info().holder());
  }

  /** The keys that are held. */
  public List<String> heldKeys(String kind, int count) {
    List<String> held = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String key = kind + "/" + i;
      holderOf(key).ifPresent(holder -> held.add(key));
    }
    return held;
  }

  public static Lease lease(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  /** Waits, without a time limit of its own, until the other thread blocks. */
  public static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
  }
}
