package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Breaks things for a while, and plays the operator. */
final class FaultInjector {
  private static final List<Reopening> REOPENINGS =
      List.of(Reopening.NOW, Reopening.AT_EXPIRY, Reopening.BY_OPERATOR);
  private static final int MOST_RESTORES = 2;

  /** Limited, because crowds take most of a run's events. */
  private static final int MOST_CROWDS = 2;

  private static final long MOST_FORWARD_MILLIS = 40;

  private final World world;
  private final Stage stage;
  private final List<FaultKind> kinds;
  private SimStore.Backup backup;
  private int restores;
  private int crowds;
  private long forwardMillis;
  private int requests;
  private long nextLongOutageNanos;

  /** What can be broken. */
  record Stage(
      SimStore store,
      StoreFaults storeFaults,
      Supplier<SimProcess> anyLife,
      Crashing crashing,
      HistoryRecorder recorder,
      List<LeaseKey> keys,
      Rows rows) {}

  /** Faults of a store with rows; they do nothing to one without. */
  interface Rows {
    /** The store stops, and uncommitted changes are lost. */
    void cut();

    /** Others ask for these keys again and again. */
    void crowd(List<LeaseKey> keys, long forNanos);

    /** Rows are deleted by hand while others ask for them. */
    void deleteByHand();

    void purge();

    /** Runs a task while no transaction is open. */
    void runAlone(Runnable task);

    /** Carries out an operator's command. */
    void carryOut(Command command, Consumer<Outcome> done);
  }

  /** Ends processes. */
  interface Crashing {
    void crash(SimProcess process);

    void shutDown(SimProcess process);
  }

  FaultInjector(World world, Stage stage) {
    this.world = world;
    this.stage = stage;
    this.kinds = new ArrayList<>(world.plan().lasting());
    this.backup = stage.store().backup();
  }

  void begin() {
    world.after(world.between(World.SECOND, 8 * World.SECOND), this::strike);
    world.after(world.between(World.SECOND, 40 * World.SECOND), this::operate);
    world.after(world.between(World.SECOND, 60 * World.SECOND), this::takeBackup);
  }

  private void takeBackup() {
    backup = stage.store().backup();
    world.trace("operator", () -> "takes a backup");
    world.after(world.between(20 * World.SECOND, 90 * World.SECOND), this::takeBackup);
  }

  private void strike() {
    if (!kinds.isEmpty()) {
      strike(kinds.get(world.random().nextInt(kinds.size())), stage.anyLife().get());
    }
    world.after(world.between(World.SECOND, 14 * World.SECOND), this::strike);
  }

  private void strike(FaultKind kind, SimProcess process) {
    StoreFaults storeFaults = stage.storeFaults();
    switch (kind) {
      case PROCESS_CRASHED -> {
        world.fault(kind, process.name(), () -> "killed");
        stage.crashing().crash(process);
      }
      case PROCESS_PAUSED -> process.pause(lasting(kind, process.name(), pauseNanos()));
      case MACHINE_SUSPENDED ->
          process.suspend(lasting(kind, process.name(), pauseNanos()), world.chance(0.5));
      case WALL_CLOCK_STEPPED -> stepWallClock(process);
      case STORE_SLOW -> storeFaults.slowDown(lasting(kind, "store", seconds(1, 12)));
      case STORE_OUTAGE -> storeFaults.goDown(lasting(kind, "store", seconds(1, 4)));
      case LONG_OUTAGE -> longOutage();
      case BATCH_FAILED -> storeFaults.fail(seconds(1, 15));
      case COMMANDS_HUNG -> process.hangCommands(lasting(kind, process.name(), seconds(3, 40)));
      case RENEWAL_HUNG -> hangRenewal(process);
      case CONTENDERS_CROWDED -> crowd(process);
      case ROWS_DELETED_BY_HAND -> stage.rows().deleteByHand();
      case CLOCK_STEPPED_BACK -> step(kind, -world.between(1, 3_000));
      case CLOCK_STEPPED_FORWARD -> stepForward(world.between(1, 15));
      case CLOCK_LEAPT -> step(kind, world.between(1_000, 60_000));
      case BACKUP_RESTORED -> restore();
      case ROLLED_BACK_SILENTLY -> rollBackSilently();
      default -> throw new IllegalStateException(kind + " strikes single messages");
    }
  }

  /**
   * Not one right after another, because no other fault of messages can happen during an outage.
   */
  private void longOutage() {
    if (world.now() - nextLongOutageNanos >= 0) {
      long nanos = lasting(FaultKind.LONG_OUTAGE, "store", seconds(32, 50));
      stage.storeFaults().goDown(nanos);
      nextLongOutageNanos = world.now() + nanos + seconds(10, 30);
    }
  }

  private long lasting(FaultKind kind, String who, long nanos) {
    world.fault(kind, who, () -> "for " + nanos / World.MILLI + " ms");
    return nanos;
  }

  private long pauseNanos() {
    int draw = world.random().nextInt(10);
    if (draw < 4) {
      return world.between(10 * World.MILLI, 500 * World.MILLI);
    }
    return draw < 8 ? seconds(1, 10) : seconds(10, 60);
  }

  private long seconds(long least, long most) {
    return world.between(least * World.SECOND, most * World.SECOND);
  }

  private void hangRenewal(SimProcess process) {
    List<HeldLeaseView> held = process.views.stream().filter(view -> !view.closed).toList();
    if (!held.isEmpty()) {
      LeaseKey key = held.get(world.random().nextInt(held.size())).key();
      long nanos = seconds(2, 40);
      world.fault(FaultKind.RENEWAL_HUNG, "store", () -> key + " for " + nanos / World.MILLI);
      stage.storeFaults().hangRenewalsOf(key, nanos);
    }
  }

  private void crowd(SimProcess process) {
    List<HeldLeaseView> held = process.views.stream().filter(view -> !view.closed).toList();
    if (!held.isEmpty() && crowds < MOST_CROWDS) {
      crowds++;
      LeaseKey key = held.get(world.random().nextInt(held.size())).key();
      long nanos = seconds(3, 8);
      world.fault(FaultKind.CONTENDERS_CROWDED, key.text(), () -> nanos / World.MILLI + " ms");
      stage.rows().crowd(List.of(key), nanos);
    }
  }

  private void stepForward(long millis) {
    if (forwardMillis + millis <= MOST_FORWARD_MILLIS) {
      forwardMillis += millis;
      step(FaultKind.CLOCK_STEPPED_FORWARD, millis);
    }
  }

  private void step(FaultKind kind, long millis) {
    world.fault(kind, "store", () -> "by " + millis + " ms");
    stage.store().stepClock(millis);
  }

  /** By more than the ticker's tolerance, and by less than a witness remembers. */
  private void stepWallClock(SimProcess process) {
    long millis = world.between(250, world.chance(0.5) ? 5_000 : 300_000);
    long by = world.chance(0.5) ? millis : -millis;
    world.fault(FaultKind.WALL_CLOCK_STEPPED, process.name(), () -> "by " + by + " ms");
    process.stepWallClock(by);
  }

  private void restore() {
    if (restores < MOST_RESTORES) {
      losingWrites(FaultKind.BACKUP_RESTORED, World.SECOND);
      stage.store().restore(backup);
    }
  }

  /**
   * The store is away long enough that some processes lose their leases, and connect again without
   * suspicion.
   */
  private void rollBackSilently() {
    if (restores < MOST_RESTORES) {
      losingWrites(FaultKind.ROLLED_BACK_SILENTLY, seconds(1, 8));
      stage.store().rollBackSilently(backup);
      world.after(seconds(20, 60), this::advance);
    }
  }

  private void losingWrites(FaultKind kind, long downNanos) {
    restores++;
    stage.rows().cut();
    world.fault(kind, "store", () -> "to " + backup.takenNanos() / World.MILLI + " ms");
    stage.storeFaults().goDown(downNanos);
  }

  /** A process has reported that writes were lost. */
  void warned() {
    world.after(seconds(1, 10), this::advance);
  }

  private void advance() {
    if (stage.store().isDoubted()) {
      stage.rows().runAlone(stage.store()::advance);
    }
  }

  private void operate() {
    if (world.chance(0.25)) {
      stage.crashing().shutDown(stage.anyLife().get());
    } else if (world.chance(0.6)) {
      revoke();
    }
    stage.rows().purge();
    world.after(world.between(5 * World.SECOND, 40 * World.SECOND), this::operate);
  }

  private void revoke() {
    LeaseKey key = stage.keys().get(world.random().nextInt(stage.keys().size()));
    Reopening reopening = REOPENINGS.get(world.random().nextInt(REOPENINGS.size()));
    Operator by = new Operator("operator");
    call(new Command.Revoke(key, by, new Explanation("a drill"), reopening, newRequest()));
    if (reopening == Reopening.BY_OPERATOR) {
      world.after(seconds(1, 40), () -> call(new Command.Reopen(key, by, newRequest())));
    }
  }

  private RequestId newRequest() {
    requests++;
    return new RequestId("operator-" + requests);
  }

  private void call(Command command) {
    world.trace("operator", () -> command.toString());
    HistoryRecorder.OpenCall call = stage.recorder().call(Ask.of(command).orElseThrow());
    stage.rows().carryOut(command, outcome -> call.returned(Result.of(outcome)));
  }
}
