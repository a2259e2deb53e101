package dev.leasehold.blocks.leader;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.LeasesBuilder;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A memory store and replicas that use it, in time that the test controls. Listeners are called at
 * once, on the thread of the event; only loops have threads of their own.
 */
final class ElectionFixture {
  static final LeaseKey KEY = LeaseKey.of("leader", "billing");
  private static final long START = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
  private final MemoryLeaseStore memory =
      new MemoryLeaseStore(
          () -> Instant.ofEpochMilli(START + nanos() / 1_000_000), Limits.SINGLE_NODE);
  private final List<String> news = new CopyOnWriteArrayList<>();
  private final List<House> houses = new CopyOnWriteArrayList<>();
  private long nowNanos;
  private long scheduled;

  private record Task(long dueNanos, long number, Runnable work) {}

  /** How the store takes a batch. */
  interface Applying {
    CompletionStage<List<Outcome>> apply(List<Command> batch);
  }

  /** A replica's process, and its connection to the store. */
  final class House {
    final String name;
    final Leases leases;
    private volatile Applying line = memory::apply;

    House(String name) {
      this.name = name;
      this.leases = builder(name, this).open();
      houses.add(this);
    }

    /** From now on no batch arrives and none is answered. */
    void cutOff() {
      line = batch -> new CompletableFuture<>();
    }

    void reconnect() {
      line = memory::apply;
    }

    void line(Applying how) {
      line = how;
    }

    ElectionBuilder election() {
      return Election.on(leases).named("billing").listener(new Crier(name));
    }
  }

  House house(String name) {
    return new House(name);
  }

  CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return memory.apply(batch);
  }

  LeasesBuilder builder(String name, House house) {
    LeaseStore store =
        (LeaseStore)
            Proxy.newProxyInstance(
                ElectionFixture.class.getClassLoader(),
                new Class<?>[] {LeaseStore.class},
                (proxy, method, arguments) ->
                    method.getName().equals("apply")
                        ? house.line.apply(commands(arguments[0]))
                        : method.invoke(memory, arguments));
    return Leases.on(store)
        .holder(name)
        .ticker(this::nanos)
        .scheduler(this::schedule)
        .callbacks(Runnable::run);
  }

  private static List<Command> commands(Object batch) {
    List<Command> commands = new ArrayList<>();
    ((List<?>) batch).forEach(command -> commands.add((Command) command));
    return commands;
  }

  /** Records what a replica's listener is told. */
  private final class Crier implements ElectionListener {
    private final String name;

    Crier(String name) {
      this.name = name;
    }

    @Override
    public void elected(Term term) {
      news.add(name + " elected");
    }

    @Override
    public void ending(Term term) {
      news.add(name + " ending");
    }

    @Override
    public void lost(Term term, LossReason reason) {
      news.add(name + " lost by " + reason.getClass().getSimpleName());
    }

    @Override
    public void observed(Leader leader) {
      news.add(name + " sees " + leader.holder());
    }

    @Override
    public void failed(LeaderLoop loop, Throwable failure) {
      news.add(name + " failed in " + loop.name());
    }
  }

  /** What listeners were told, except of observed leaders. */
  List<String> news() {
    return news.stream().filter(line -> !line.contains(" sees ")).toList();
  }

  List<String> sightings() {
    return news.stream().filter(line -> line.contains(" sees ")).toList();
  }

  void write(String line) {
    news.add(line);
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
  void advance(Duration by) {
    houses.forEach(ElectionFixture::settle);
    long endNanos = nanos() + by.toNanos();
    Optional<Task> next = next(endNanos);
    while (next.isPresent()) {
      next.get().work.run();
      houses.forEach(ElectionFixture::settle);
      next = next(endNanos);
    }
    synchronized (this) {
      nowNanos = endNanos;
    }
  }

  /** Suspends the processes; timers that fell due fire at the next advance. */
  synchronized void pause(Duration length) {
    nowNanos += length.toNanos();
  }

  /**
   * Waits until a process has handled all events that were submitted to it: a loop's thread may be
   * handling one, and time must not advance meanwhile.
   */
  private static void settle(House house) {
    AtomicBoolean settled = new AtomicBoolean();
    house.leases.environment().turns().execute(() -> settled.set(true));
    await(settled::get);
  }

  private synchronized Optional<Task> next(long endNanos) {
    if (tasks.isEmpty() || tasks.peek().dueNanos > endNanos) {
      return Optional.empty();
    }
    Task task = tasks.remove();
    nowNanos = Math.max(nowNanos, task.dueNanos);
    return Optional.of(task);
  }

  /** The name of the key's holder. */
  Optional<String> holder() {
    return grant().map(grant -> grant.terms().info().holder());
  }

  Optional<Grant> grant() {
    Optional<LeaseReading> reading = memory.read(KEY).toCompletableFuture().join();
    return reading.flatMap(r -> r.record().grant().filter(g -> g.isUnexpired(r.atMillis())));
  }

  void revoke() {
    memory.apply(
        List.of(
            new Command.Revoke(
                KEY,
                new Operator("op"),
                new Explanation("stuck"),
                Command.Reopening.NOW,
                RequestId.random())));
  }

  /** Waits, without a time limit of its own, for an effect of another thread. */
  static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(Thread.currentThread().isInterrupted()).as("gave up").isFalse();
      Thread.onSpinWait();
    }
  }

  static void awaitRole(Election election, Role role) {
    await(() -> election.status().role() == role);
  }
}
