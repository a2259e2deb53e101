package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * One process from its start to its end. Events reach it one at a time; while it is paused they
 * queue up, and once it is dead they are dropped.
 */
final class SimProcess implements Transaction.Client {
  /** How late a timer may fire in a process that runs. */
  static final long LATEST_TIMER = 40 * World.MILLI;

  /** How late, at most, a thread begins. */
  static final long LATEST_ASIDE = World.SECOND / 2;

  /** The longest interval at which its timers read the ticker. */
  private static final long LONGEST_NAP = World.SECOND / 2;

  private final World world;
  private final String name;
  private final Instance instance;
  private final Holdings holdings;
  private final Machine machine;
  private final Deque<Runnable> turns = new ArrayDeque<>();
  private final Set<Timed> timers = new LinkedHashSet<>();
  private final List<Watch> watches = new ArrayList<>();
  private boolean inTurn;

  /**
   * How far its thread's time is ahead in a turn that takes time, for example because it was
   * suspended in it.
   */
  private long aheadNanos;

  private boolean dead;
  private boolean closing;
  private long pausedUntilNanos;
  private long backNanos = Long.MIN_VALUE / 2;
  private long commandsHungUntilNanos;

  // What the judge keeps of it.
  final List<HeldLeaseView> views = new ArrayList<>();
  final List<HeldLeaseView> open = new ArrayList<>();
  final Map<LeaseKey, ContentionState> contentions = new TreeMap<>();
  final Map<String, Long> owed = new TreeMap<>();
  final List<Absence> absences = new ArrayList<>();
  long lastBadCommandNanos = Long.MIN_VALUE / 2;
  final Map<LeaseKey, HeldLeaseView> lastWon = new HashMap<>();

  /** The last answer that gives trust in a grant of the key, except renewals by its keeper. */
  final Map<LeaseKey, Grounds> grounds = new HashMap<>();

  final long bornNanos;

  /**
   * When it was told that the store does not know one of its grants; the greatest value if it never
   * was.
   */
  long sawLossNanos = Long.MAX_VALUE;

  /** Whether it has reported that the store must not be used any more. */
  boolean warned;

  /**
   * A time in which it did not run.
   *
   * @param sleptNanos by how much the timers that waited then are late
   */
  record Absence(long fromNanos, long toNanos, long sleptNanos) {}

  /** An answer that gives trust, and when the attempt that it answers was sent. */
  record Grounds(Token token, long sentTicks, long remainingNanos) {}

  SimProcess(World world, String name, Wiring wiring) {
    this.world = world;
    this.name = name;
    this.bornNanos = world.now();
    SplittableRandom random = world.random().split();
    this.instance = Instance.of(String.format("%016x%016x", random.nextLong(), random.nextLong()));
    this.machine = new Machine(this::nowNanos, random);
    Environment environment = new Environment(this::ticks, this::schedule, this::turn, random);
    this.holdings = new Holdings(wiring.wire(this), environment);
  }

  /** Joins a process to the store. */
  @FunctionalInterface
  interface Wiring {
    Holdings.Wires wire(SimProcess process);
  }

  String name() {
    return name;
  }

  Instance instance() {
    return instance;
  }

  Holdings holdings() {
    return holdings;
  }

  /** The reading of its ticker, which is the system's ticker over the clocks of its machine. */
  long ticks() {
    return machine.ticks();
  }

  /** The time as its own thread sees it, which may be suspended in the middle of a turn. */
  private long nowNanos() {
    return world.now() + aheadNanos;
  }

  /** How far its thread's time is ahead of the world's. */
  long aheadNanos() {
    return aheadNanos;
  }

  @Override
  public boolean isDead() {
    return dead;
  }

  @Override
  public boolean isRunning() {
    return !dead && world.now() >= pausedUntilNanos;
  }

  /** Whether it is shutting down in order. */
  boolean isClosing() {
    return closing;
  }

  void close(Runnable done) {
    closing = true;
    holdings.shutDown(done);
  }

  void kill() {
    dead = true;
    turns.clear();
  }

  /** Pauses the process. In the middle of a turn, the rest of the turn comes after the pause. */
  void pause(long forNanos) {
    long until = nowNanos() + forNanos;
    pausedUntilNanos = Math.max(pausedUntilNanos, until);
    backNanos = pausedUntilNanos;
    absences.add(new Absence(world.now(), until, 0));
    aheadNanos = inTurn ? until - world.now() : 0;
  }

  /**
   * Puts the machine to sleep. Waiting timers do not count that time, and notice it after a nap.
   *
   * @param frozen whether its host suspends it, so that not even the time since boot runs on
   */
  void suspend(long forNanos, boolean frozen) {
    long until = world.now() + forNanos;
    pausedUntilNanos = Math.max(pausedUntilNanos, until);
    backNanos = pausedUntilNanos;
    machine.fallAsleep(forNanos, frozen);
    lookAtTimersAfter(forNanos);
    absences.add(new Absence(world.now(), until, forNanos));
  }

  /** Steps the wall clock. A ticker that cannot tell that from sleep may jump ahead by as much. */
  void stepWallClock(long byMillis) {
    machine.stepWallClock(byMillis);
    if (byMillis > 0) {
      absences.add(new Absence(world.now(), world.now(), byMillis * World.MILLI));
      lookAtTimersAfter(0);
    }
  }

  void hangCommands(long forNanos) {
    commandsHungUntilNanos = world.now() + forNanos;
  }

  /** How long a command that comes now hangs. */
  long commandsHangNanos() {
    return Math.max(0, commandsHungUntilNanos - world.now());
  }

  /** Runs a new event after this time, on its thread. */
  World.Due after(long delayNanos, Runnable event) {
    return world.after(aheadNanos + delayNanos, () -> arrive(event));
  }

  /** An event arrives from outside. */
  void arrive(Runnable event) {
    if (dead) {
      return;
    }
    if (!isRunning()) {
      world.after(pausedUntilNanos - world.now(), () -> arrive(event));
      return;
    }
    turn(event);
  }

  /** Runs an event; one that is submitted during another runs after it. */
  void turn(Runnable event) {
    turns.addLast(event);
    if (inTurn) {
      return;
    }
    inTurn = true;
    try {
      while (!turns.isEmpty()) {
        turns.removeFirst().run();
      }
    } catch (RuntimeException e) {
      world.broken("defect", "an event of " + name + " failed: " + e);
      turns.clear();
    } finally {
      inTurn = false;
      aheadNanos = 0;
    }
  }

  private Scheduler.Timer schedule(Runnable task, long delayNanos) {
    Timed timed = new Timed(task, ticks() + delayNanos);
    timed.begin();
    return timed;
  }

  /** Like the system's scheduler: a machine that wakes up reads its ticker within a nap. */
  private void lookAtTimersAfter(long delayNanos) {
    world.after(delayNanos + world.between(0, LONGEST_NAP), () -> arrive(this::lookAtTimers));
  }

  private void lookAtTimers() {
    List.copyOf(timers).forEach(Timed::wake);
  }

  /** A timer whose time is decided by the ticker, which jumps after sleep, and not by the wait. */
  private final class Timed implements Scheduler.Timer {
    private final Runnable task;
    private final long dueTicks;

    Timed(Runnable task, long dueTicks) {
      this.task = task;
      this.dueTicks = dueTicks;
    }

    void begin() {
      timers.add(this);
      long lateness =
          world.chance(0.9) ? world.between(0, World.MILLI) : world.between(0, LATEST_TIMER);
      after(machine.lasting(Math.max(0, dueTicks - ticks())) + lateness, this::wake);
    }

    private void wake() {
      if (timers.contains(this) && dueTicks - ticks() > 0) {
        begin();
      } else {
        fire();
      }
    }

    private void fire() {
      if (dueTicks - ticks() <= 0 && timers.remove(this)) {
        task.run();
      }
    }

    @Override
    public void cancel() {
      timers.remove(this);
    }
  }

  /** A watch, as the store keeps it. */
  private record Watch(String prefix, ChangeListener<LeaseChange> listener) {}

  /** Begins a watch: from now on the listener is told of changes. */
  LeaseStore.Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    Watch watch = new Watch(prefix, listener);
    watches.add(watch);
    contention(new LeaseKey(prefix)).watchBegan();
    return () -> watches.remove(watch);
  }

  boolean watches(LeaseKey key) {
    return !listeners(key).isEmpty();
  }

  /** The listeners to changes of the key. */
  List<ChangeListener<LeaseChange>> listeners(LeaseKey key) {
    return dead
        ? List.of()
        : watches.stream()
            .filter(watch -> key.text().startsWith(watch.prefix()))
            .map(Watch::listener)
            .toList();
  }

  /** Runs a task on a thread of its own, after a while, in no order with other tasks. */
  void aside(Runnable task) {
    after(world.chance(0.8) ? world.between(0, World.MILLI) : world.between(0, LATEST_ASIDE), task);
  }

  ContentionState contention(LeaseKey key) {
    return contentions.computeIfAbsent(key, k -> new ContentionState());
  }

  /** When it last came back; long ago if it was never away. */
  long backNanos() {
    return backNanos;
  }

  /** For how long it has been away since then. */
  long awaySince(long nanos) {
    long away = 0;
    for (Absence absence : absences) {
      away += Math.max(0, absence.toNanos() - Math.max(nanos, absence.fromNanos()));
    }
    return away;
  }

  /** How late timers may be that have been waiting since then. */
  long sleptSince(long nanos) {
    long slept = 0;
    for (Absence absence : absences) {
      slept += absence.toNanos() >= nanos ? absence.sleptNanos() : 0;
    }
    return slept;
  }

  @Override
  public String toString() {
    return name;
  }
}
