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
final class Cluster implements ActorContext.Neighbours, Mayhem.Crashing {
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
  private final Outside outside;
  private final Targets targets;
  private final Judge judge;
  private final List<Life> lives = new ArrayList<>();
  private final List<LeaseKey> sharedKeys = new ArrayList<>();
  private final List<LeaseKey> allKeys = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final ActorContext context;
  private final Mayhem mayhem;
  private final Stores stores;
  private long lullFromNanos = Long.MAX_VALUE;
  private int born;
  private long commands;

  Cluster(World world) {
    this.world = world;
    this.store = new SimStore(world, this::hint);
    this.outside = new Outside(world);
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
    this.stores = new Stores(world, store, new Stores.Others(outside, judge, this::crowd));
    allKeys.addAll(stores.spareKeys());
    this.mayhem =
        new Mayhem(
            world,
            new Mayhem.Stage(store, outside, this::anyLife, this, recorder, sharedKeys, stores));
  }

  /** Runs until the end or the first violation. */
  void run() {
    for (int slot = 0; slot < world.plan().processes; slot++) {
      lives.add(spawn(slot));
    }
    mayhem.begin();
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

  private Life spawn(int slot) {
    born++;
    String name = "p" + slot + "-" + born;
    HistoryRecorder recorder = new HistoryRecorder(name, world::now, this::record);
    Life life = new Life(world, name, self -> wires(self, slot, recorder));
    for (int i = 0; i < WORKERS; i++) {
      start(life, new Actor.Works(), world.between(0, 3 * World.SECOND));
    }
    for (int i = 0; slot < SLOTS_WITH_KEEPERS && i < KEEPERS; i++) {
      LeaseKey key = new LeaseKey("own/" + slot + "." + i);
      if (!allKeys.contains(key)) {
        allKeys.add(key);
      }
      start(life, new Actor.Keeps(key), World.SECOND);
    }
    world.trace(name, () -> "starts");
    return life;
  }

  private Holdings.Wires wires(Life life, int slot, HistoryRecorder recorder) {
    SimWire.Far far = new SimWire.Far(stores.carrierFor(life, slot), outside, judge, recorder);
    Holdings.Wires commands = wires(life, new SimWire(world, life, SimWire.Lane.COMMANDS, far));
    Holdings.Wires renewals = wires(life, new SimWire(world, life, SimWire.Lane.RENEWALS, far));
    return new Holdings.Wires(commands.commands(), renewals.renewals(), commands.watch());
  }

  /**
   * The wires of a real process, one for each lane, so that the judge knows which lane was used.
   */
  private Holdings.Wires wires(Life life, SimWire way) {
    return new StoreWires(
            new StoreWires.Store(way, life::watch),
            new StoreWires.Threads(life::turn, life::aside),
            new Heard(life))
        .wires();
  }

  /** Passes hints on to a process; the judge gets them first. */
  private final class Heard implements StoreWires.Heard {
    private final Life life;

    Heard(Life life) {
      this.life = life;
    }

    @Override
    public void changed(LeaseChange change) {
      Asking asking = life.asking(change.key());
      switch (change.kind()) {
        case RELEASED, EXPIRED, REVOKED -> asking.over(world.now(), change.token());
        case GRANTED -> asking.granted(world.now(), change.token());
        case SUPERSEDED -> {}
      }
      life.holdings().changed(change);
    }

    @Override
    public void reset(LeaseKey key) {
      life.asking(key).hinted(world.now());
      life.holdings().hint(key);
    }
  }

  private void crowd(Actor.Polls polls) {
    for (Life life : lives) {
      boolean holds =
          life.tenancies.stream().anyMatch(t -> !t.closed && polls.keys().contains(t.key()));
      if (!life.isDead() && !holds) {
        start(life, polls, world.latency());
      }
    }
  }

  @Override
  public void changeAtEffect(Tenancy tenancy) {
    stores.changeAtEffect(tenancy);
  }

  private void record(Event event) {
    commands += event instanceof Event.Called ? 1 : 0;
    events.add(event);
  }

  private void start(Life life, Actor.Habit habit, long delayNanos) {
    life.after(delayNanos, new Actor(world, life, context, habit)::begin);
  }

  private void hint(LeaseChange change) {
    for (Life life : lives) {
      List<ChangeListener<LeaseChange>> listeners = life.listeners(change.key());
      listeners.forEach(listener -> tell(life, listener, change));
      boolean astray = listeners.isEmpty() && !life.isDead();
      if (astray && world.strikes(FaultKind.HINT_ASTRAY, life.name(), change::toString)) {
        LeaseKey key = world.chance(0.5) ? change.key() : anyKey();
        life.after(world.latency(), () -> hinted(life, key));
      }
    }
  }

  private void tell(Life life, ChangeListener<LeaseChange> listener, LeaseChange change) {
    if (world.strikes(FaultKind.HINT_LOST, life.name(), change::toString)) {
      return;
    }
    boolean late = world.strikes(FaultKind.HINT_LATE, life.name(), change::toString);
    long delay = late ? world.between(World.SECOND / 10, LATEST_HINT) : world.latency();
    life.after(delay, () -> listener.changed(change));
    if (world.strikes(FaultKind.HINT_DOUBLED, life.name(), change::toString)) {
      life.after(delay + world.between(0, LATEST_HINT), () -> listener.changed(change));
    }
  }

  private LeaseKey anyKey() {
    return sharedKeys.get(world.random().nextInt(sharedKeys.size()));
  }

  private void hinted(Life life, LeaseKey key) {
    if (!life.watches(key)) {
      world.covered(CoveragePoint.GOT_A_HINT_UNASKED);
    }
    new Heard(life).reset(key);
  }

  private Life anyLife() {
    return lives.get(world.random().nextInt(lives.size()));
  }

  @Override
  public Life other(Life than) {
    Life other = anyLife();
    return other.isDead() ? than : other;
  }

  @Override
  public void warned(Life life) {
    if (judge.doubts().warned(life)) {
      mayhem.warned();
      world.after(world.between(0, LONGEST_WARNED), () -> crash(life));
    }
  }

  @Override
  public void crash(Life life) {
    if (!life.isDead()) {
      life.kill();
      int slot = lives.indexOf(life);
      world.after(
          world.between(World.SECOND / 10, 5 * World.SECOND), () -> lives.set(slot, spawn(slot)));
    }
  }

  @Override
  public void shutDown(Life life) {
    if (life.isRunning() && !life.isClosing()) {
      world.trace(life.name(), () -> "shuts down");
      life.arrive(() -> life.close(() -> ended(life)));
      world.after(LONGEST_SHUTDOWN, () -> requireEnded(life));
    }
  }

  private void ended(Life life) {
    world.trace(life.name(), () -> "has shut down");
    crash(life);
  }

  private void requireEnded(Life life) {
    if (!life.isDead() && life.isRunning() && !world.plan().leaps()) {
      long away = world.now() - LONGEST_SHUTDOWN;
      if (life.backNanos() < away && life.sleptSince(away) == 0) {
        world.broken("shutdown", life + " has not ended a minute after it was told to");
      } else {
        world.after(LONGEST_SHUTDOWN, () -> requireEnded(life));
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
