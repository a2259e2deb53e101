package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.engine.Holdings;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.wires.StoreWires;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.HistoryRecorder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** All processes, the store, the targets, and their records. */
final class Cluster implements ActorContext.Neighbours, FaultInjector.Crashing {
  private static final int WORKERS = 2;
  private static final int KEEPERS = 4;
  private static final int SLOTS_WITH_KEEPERS = 2;
  private static final long LULL = 11 * 60 * World.SECOND;
  private static final long LONGEST_SHUTDOWN = 60 * World.SECOND;
  private static final long LATEST_HINT = 20 * World.SECOND;

  /** How long a process keeps running after it has reported that its store must not be used. */
  private static final long LONGEST_WARNED = 30 * World.SECOND;

  private final World world;
  private final SimStore store;
  private final StoreFaults storeFaults;
  private final Targets targets;
  private final Judge judge;
  private final List<SimProcess> lives = new ArrayList<>();
  private final List<LeaseKey> sharedKeys = new ArrayList<>();
  private final List<LeaseKey> allKeys = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final ActorContext context;
  private final FaultInjector faultInjector;
  private final Stores stores;
  private long lullFromNanos = Long.MAX_VALUE;
  private int born;
  private long commands;

  Cluster(World world) {
    this.world = world;
    this.store = new SimStore(world, this::hint);
    this.storeFaults = new StoreFaults(world);
    this.targets =
        new Targets(
            world,
            new RefusalTrail(() -> Instant.ofEpochMilli(store.clockMillis())),
            store::isDoubled);
    this.judge = new Judge(world, store, lives);
    this.context = new ActorContext(store, targets, judge, sharedKeys, this);
    for (int i = 0; i < world.plan().sharedKeys; i++) {
      sharedKeys.add(new LeaseKey("shard/" + i));
    }
    allKeys.addAll(sharedKeys);
    HistoryRecorder recorder = new HistoryRecorder("operator", world::now, events::add);
    this.stores =
        new Stores(world, store, new Stores.Surroundings(storeFaults, judge, this::crowd));
    allKeys.addAll(stores.spareKeys());
    this.faultInjector =
        new FaultInjector(
            world,
            new FaultInjector.Stage(
                store, storeFaults, this::anyLife, this, recorder, sharedKeys, stores));
  }

  /** Runs until the end or the first violation. */
  void run() {
    for (int slot = 0; slot < world.plan().processes; slot++) {
      lives.add(spawn(slot));
    }
    faultInjector.begin();
    world.after(Judge.SWEEP_NANOS, this::sweep);
    long end = world.plan().lengthNanos;
    if (world.plan().hasLull) {
      lullFromNanos = end / 2;
      end += LULL;
    }
    while (world.findings().isEmpty() && world.step(end)) {
      judge.look();
    }
  }

  private void sweep() {
    judge.sweep(allKeys);
    world.after(Judge.SWEEP_NANOS, this::sweep);
  }

  private SimProcess spawn(int slot) {
    born++;
    String name = "p" + slot + "-" + born;
    HistoryRecorder recorder = new HistoryRecorder(name, world::now, this::record);
    SimProcess process = new SimProcess(world, name, self -> wires(self, slot, recorder));
    for (int i = 0; i < WORKERS; i++) {
      start(process, new Actor.Works(), world.between(0, 3 * World.SECOND));
    }
    for (int i = 0; slot < SLOTS_WITH_KEEPERS && i < KEEPERS; i++) {
      LeaseKey key = new LeaseKey("own/" + slot + "." + i);
      if (!allKeys.contains(key)) {
        allKeys.add(key);
      }
      start(process, new Actor.Keeps(key), World.SECOND);
    }
    world.trace(name, () -> "starts");
    return process;
  }

  private Holdings.Wires wires(SimProcess process, int slot, HistoryRecorder recorder) {
    SimWire.StoreSide storeSide =
        new SimWire.StoreSide(stores.carrierFor(process, slot), storeFaults, judge, recorder);
    Holdings.Wires commands =
        wires(process, new SimWire(world, process, SimWire.Lane.COMMANDS, storeSide));
    Holdings.Wires renewals =
        wires(process, new SimWire(world, process, SimWire.Lane.RENEWALS, storeSide));
    return new Holdings.Wires(commands.commands(), renewals.renewals(), commands.watch());
  }

  /**
   * The wires of a real process, one for each lane, so that the judge knows which lane was used.
   */
  private Holdings.Wires wires(SimProcess process, SimWire way) {
    return new StoreWires(
            new StoreWires.Store(way, process::watch),
            new StoreWires.Threads(process::turn, process::aside),
            new HintListener(process))
        .wires();
  }

  /** Passes hints on to a process; the judge gets them first. */
  private final class HintListener implements StoreWires.HintListener {
    private final SimProcess process;

    HintListener(SimProcess process) {
      this.process = process;
    }

    @Override
    public void changed(LeaseChange change) {
      ContentionState contention = process.contention(change.key());
      switch (change.kind()) {
        case RELEASED, EXPIRED, REVOKED -> contention.over(world.now(), change.token());
        case GRANTED -> contention.granted(world.now(), change.token());
        case SUPERSEDED -> {}
      }
      process.holdings().changed(change);
    }

    @Override
    public void reset(LeaseKey key) {
      process.contention(key).hinted(world.now());
      process.holdings().hint(key);
    }
  }

  private void crowd(Actor.Polls polls) {
    for (SimProcess process : lives) {
      boolean holds =
          process.views.stream().anyMatch(t -> !t.closed && polls.keys().contains(t.key()));
      if (!process.isDead() && !holds) {
        start(process, polls, world.latency());
      }
    }
  }

  @Override
  public void changeAtEffect(HeldLeaseView view) {
    stores.changeAtEffect(view);
  }

  private void record(Event event) {
    commands += event instanceof Event.Called ? 1 : 0;
    events.add(event);
  }

  private void start(SimProcess process, Actor.Habit habit, long delayNanos) {
    process.after(delayNanos, new Actor(world, process, context, habit)::begin);
  }

  private void hint(LeaseChange change) {
    for (SimProcess process : lives) {
      List<ChangeListener<LeaseChange>> listeners = process.listeners(change.key());
      listeners.forEach(listener -> tell(process, listener, change));
      boolean astray = listeners.isEmpty() && !process.isDead();
      if (astray && world.strikes(FaultKind.HINT_ASTRAY, process.name(), change::toString)) {
        LeaseKey key = world.chance(0.5) ? change.key() : anyKey();
        process.after(world.latency(), () -> hinted(process, key));
      }
    }
  }

  private void tell(SimProcess process, ChangeListener<LeaseChange> listener, LeaseChange change) {
    if (world.strikes(FaultKind.HINT_LOST, process.name(), change::toString)) {
      return;
    }
    boolean late = world.strikes(FaultKind.HINT_LATE, process.name(), change::toString);
    long delay = late ? world.between(World.SECOND / 10, LATEST_HINT) : world.latency();
    process.after(delay, () -> listener.changed(change));
    if (world.strikes(FaultKind.HINT_DOUBLED, process.name(), change::toString)) {
      process.after(delay + world.between(0, LATEST_HINT), () -> listener.changed(change));
    }
  }

  private LeaseKey anyKey() {
    return sharedKeys.get(world.random().nextInt(sharedKeys.size()));
  }

  private void hinted(SimProcess process, LeaseKey key) {
    if (!process.watches(key)) {
      world.covered(CoveragePoint.GOT_A_HINT_UNASKED);
    }
    new HintListener(process).reset(key);
  }

  private SimProcess anyLife() {
    return lives.get(world.random().nextInt(lives.size()));
  }

  @Override
  public SimProcess other(SimProcess than) {
    SimProcess other = anyLife();
    return other.isDead() ? than : other;
  }

  @Override
  public void warned(SimProcess process) {
    if (judge.rollbackChecks().warned(process)) {
      faultInjector.warned();
      world.after(world.between(0, LONGEST_WARNED), () -> crash(process));
    }
  }

  @Override
  public void crash(SimProcess process) {
    if (!process.isDead()) {
      process.kill();
      int slot = lives.indexOf(process);
      world.after(
          world.between(World.SECOND / 10, 5 * World.SECOND), () -> lives.set(slot, spawn(slot)));
    }
  }

  @Override
  public void shutDown(SimProcess process) {
    if (process.isRunning() && !process.isClosing()) {
      world.trace(process.name(), () -> "shuts down");
      process.arrive(() -> process.close(() -> ended(process)));
      world.after(LONGEST_SHUTDOWN, () -> requireEnded(process));
    }
  }

  private void ended(SimProcess process) {
    world.trace(process.name(), () -> "has shut down");
    crash(process);
  }

  private void requireEnded(SimProcess process) {
    if (!process.isDead() && process.isRunning() && !world.plan().leaps()) {
      long away = world.now() - LONGEST_SHUTDOWN;
      if (process.backNanos() < away && process.sleptSince(away) == 0) {
        world.broken("shutdown", process + " has not ended a minute after it was told to");
      } else {
        world.after(LONGEST_SHUTDOWN, () -> requireEnded(process));
      }
    }
  }

  @Override
  public long quietUntilNanos() {
    return world.now() >= lullFromNanos ? lullFromNanos + LULL : 0;
  }

  long commands() {
    return commands;
  }

  Targets targets() {
    return targets;
  }

  SimStore store() {
    return store;
  }

  List<Event> events() {
    List<Event> all = new ArrayList<>(events);
    all.addAll(store.events());
    all.addAll(targets.events());
    return all;
  }
}
