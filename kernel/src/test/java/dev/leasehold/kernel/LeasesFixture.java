package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A memory store and processes that use it, in time that the test controls. Unlike the fixtures of
 * the state machines, this one has threads: those that block in {@link Leases}.
 */
final class LeasesFixture {
  private static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private final MemoryLeaseStore memory =
      new MemoryLeaseStore(
          () -> Instant.ofEpochMilli(START + nanos() / 1_000_000), Limits.SINGLE_NODE);
  private long nowNanos;
  private long scheduled;
  private final List<Command> sent = new CopyOnWriteArrayList<>();
  private volatile Applying applying = memory::apply;
  private volatile Watching watching = memory::watch;
  private volatile Function<List<LedgerEntry>, CompletionStage<Void>> beforeLedger =
      entries -> CompletableFuture.completedFuture(null);
  private final AtomicInteger ledgerWrites = new AtomicInteger();

  /** How the store takes a batch; a broken store may return null instead of a stage. */
  interface Applying {
    @Nullable CompletionStage<List<Outcome>> apply(List<Command> batch);
  }

  /** How the store begins a watch. */
  interface Watching {
    LeaseStore.@Nullable Subscription watch(String prefix, ChangeListener<LeaseChange> listener);
  }

  /** The memory store's ledger, which answers when the test lets it. */
  private final Ledger ledger =
      new Ledger() {
        @Override
        public CompletionStage<Void> write(List<LedgerEntry> entries) {
          ledgerWrites.incrementAndGet();
          return beforeLedger.apply(entries).thenCompose(nothing -> memory.ledger().write(entries));
        }

        @Override
        public CompletionStage<LedgerReading> read() {
          return memory.ledger().read();
        }
      };

  /** The store of all processes here; a test can make it unreachable or broken. */
  final LeaseStore store =
      (LeaseStore)
          Proxy.newProxyInstance(
              LeasesFixture.class.getClassLoader(),
              new Class<?>[] {LeaseStore.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "apply" -> apply(arguments[0]);
                    case "watch" -> watch((String) arguments[0], (ChangeListener<?>) arguments[1]);
                    case "ledger" -> ledger;
                    default -> method.invoke(memory, arguments);
                  });

  @SuppressWarnings("unchecked") // what the store's method declares
  private @Nullable Object watch(String prefix, ChangeListener<?> listener) {
    return watching.watch(prefix, (ChangeListener<LeaseChange>) listener);
  }

  private @Nullable Object apply(Object batch) {
    List<Command> commands = new ArrayList<>();
    ((List<?>) batch).forEach(command -> commands.add((Command) command));
    sent.addAll(commands);
    return applying.apply(commands);
  }

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
    return builder(name).open();
  }

  /** Callbacks run at once, so that all effects of a test's step have happened when it returns. */
  LeasesBuilder builder(String name) {
    return Leases.on(store)
        .holder(name)
        .ticker(this::nanos)
        .scheduler(this::schedule)
        .callbacks(Runnable::run);
  }

  /** Lets time pass; each timer fires at its own time, on this thread. */
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

  /** Suspends the processes; timers that fell due fire at the next advance. */
  synchronized void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  synchronized int timers() {
    return tasks.size();
  }

  void storeGoes() {
    storeTakesBatches(batch -> new CompletableFuture<>());
  }

  void storeComesBack() {
    storeTakesBatches(memory::apply);
  }

  void storeTakesBatches(Applying how) {
    applying = how;
  }

  /** The store's outcomes for a batch, even if the test loses its answer. */
  CompletionStage<List<Outcome>> decide(List<Command> batch) {
    return memory.apply(batch);
  }

  /** The time since the fixture began. */
  Duration passed() {
    return Duration.ofNanos(nanos());
  }

  void storeWatches(UnaryOperator<Watching> how) {
    watching = how.apply(memory::watch);
  }

  /**
   * Sets the stage that must complete before the ledger writes; it may fail, throw or never
   * complete.
   */
  void ledgerAnswers(Supplier<CompletionStage<Void>> how) {
    beforeLedger = entries -> how.get();
  }

  /** The same, depending on the entries to write. */
  void ledgerJudges(Function<List<LedgerEntry>, CompletionStage<Void>> how) {
    beforeLedger = how;
  }

  Ledger ledger() {
    return ledger;
  }

  int ledgerWrites() {
    return ledgerWrites.get();
  }

  /** All commands that were sent to the store, answered or not. */
  List<Command> sent() {
    return List.copyOf(sent);
  }

  /** The name of the key's holder. */
  Optional<String> holderOf(String key) {
    return grantOf(key).map(grant -> grant.terms().info().holder());
  }

  Optional<Grant> grantOf(String key) {
    Optional<LeaseReading> reading = memory.read(new LeaseKey(key)).toCompletableFuture().join();
    return reading.flatMap(r -> r.record().grant().filter(g -> g.isUnexpired(r.atMillis())));
  }

  static Lease lease(Acquisition acquisition) {
    assertThat(acquisition).isInstanceOf(Acquisition.Acquired.class);
    return ((Acquisition.Acquired) acquisition).lease();
  }

  /** Waits, without a time limit of its own, until the other thread blocks. */
  static void awaitBlocked(Thread thread) {
    while (thread.getState() != Thread.State.WAITING
        && thread.getState() != Thread.State.TIMED_WAITING) {
      assertThat(thread.isAlive()).isTrue();
      Thread.onSpinWait();
    }
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

  /** The changes of keys from now on. */
  List<LeaseChange.Kind> changes() {
    List<LeaseChange.Kind> kinds = new ArrayList<>();
    memory.watch(
        "",
        new ChangeListener<LeaseChange>() {
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
