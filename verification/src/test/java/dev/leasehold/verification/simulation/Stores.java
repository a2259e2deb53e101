package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** How the store of a seed is reached: one that decides at once, or one of rows and locks. */
final class Stores implements FaultInjector.Rows {
  /** How many processes keep their knowledge of the store in a file. */
  private static final int WITH_FILES = 2;

  private static final int SPARE_KEYS = 6;
  private static final long BETWEEN_DELETIONS = 50 * World.SECOND;
  private static final long LONGEST_WORK = 3 * World.SECOND;
  private static final long SHORTEST_BOUND = World.SECOND / 5;
  private static final long MOST_WRITTEN = 40;

  private final World world;
  private final SimStore store;
  private final Surroundings surroundings;
  private final Optional<Database> database;
  private final Map<Integer, RollbackGuard> files = new HashMap<>();
  private final List<LeaseKey> spareKeys = new ArrayList<>();
  private long nextDeletionNanos;

  /** The other parts of the simulation. */
  record Surroundings(StoreFaults storeFaults, Judge judge, Consumer<Actor.Polls> crowd) {}

  Stores(World world, SimStore store, Surroundings surroundings) {
    this.world = world;
    this.store = store;
    this.surroundings = surroundings;
    this.database =
        world.plan().hasRows
            ? Optional.of(new Database(world, store, surroundings.storeFaults()))
            : Optional.empty();
    database.ifPresent(
        d ->
            IntStream.range(0, SPARE_KEYS).forEach(i -> spareKeys.add(new LeaseKey("spare/" + i))));
  }

  /** Keys that only crowds ask for, and whose rows are deleted by hand. */
  List<LeaseKey> spareKeys() {
    return spareKeys;
  }

  Carrier carrierFor(SimProcess process, int slot) {
    if (database.isEmpty()) {
      return (batch, done) ->
          done.accept(batch.commands().stream().map(c -> atOnce(c, batch.late())).toList());
    }
    RollbackGuard rollbackGuard =
        slot < WITH_FILES
            ? files.computeIfAbsent(slot, s -> new RollbackGuard(world.plant()))
            : new RollbackGuard(world.plant());
    process.after(world.between(0, World.SECOND), () -> look(process, rollbackGuard));
    return new Lanes(
        world, process, new Lanes.Store(database.get(), surroundings.judge(), rollbackGuard));
  }

  private Outcome atOnce(Command command, boolean late) {
    return late ? store.applyStray(command) : store.apply(command);
  }

  /** A background round: checks the chain, and extends it. */
  private void look(SimProcess process, RollbackGuard rollbackGuard) {
    if (!surroundings.storeFaults().isDown()) {
      Chain chain = store.chain();
      boolean before = rollbackGuard.refuses();
      rollbackGuard.look(chain, store.incarnation());
      chain.wrote(world.between(0, MOST_WRITTEN));
      if (!rollbackGuard.refuses()) {
        chain.renew(world.random().nextLong());
      } else if (!before) {
        world.covered(CoveragePoint.REFUSED_THE_STORE);
        world.trace(process.name(), () -> "refuses the store: its chain is another");
      }
    }
    process.after(World.SECOND, () -> look(process, rollbackGuard));
  }

  /** The user's transaction is bounded by the trust that is left, and often short. */
  void changeAtEffect(HeldLeaseView view) {
    LeaseKey key = view.key();
    if (database.isEmpty()) {
      store.changeAtEffect(key, view.token());
    } else if (!surroundings.storeFaults().isDown()) {
      long works = world.between(0, world.chance(0.7) ? 20 * World.MILLI : LONGEST_WORK);
      long bound = Math.max(SHORTEST_BOUND, view.trustNanos());
      database.get().changeAtEffect(new Database.Effect(key, view.token(), works, bound));
    }
  }

  @Override
  public void cut() {
    database.ifPresent(Database::cutAll);
  }

  @Override
  public void crowd(List<LeaseKey> keys, long forNanos) {
    surroundings.crowd().accept(new Actor.Polls(keys, world.now() + forNanos));
  }

  /** Not in quick succession, because only keys that have been dead for a while are deleted. */
  @Override
  public void deleteByHand() {
    if (world.now() >= nextDeletionNanos) {
      nextDeletionNanos = world.now() + BETWEEN_DELETIONS;
      List<LeaseKey> dead = spareKeys.stream().filter(store::isDead).toList();
      world.fault(FaultKind.ROWS_DELETED_BY_HAND, "operator", dead::toString);
      long thinks = world.between(World.SECOND / 5, 2 * World.SECOND);
      database.ifPresent(d -> d.deleteByHand(dead, thinks));
      crowd(spareKeys, 3 * World.SECOND);
    }
  }

  @Override
  public void purge() {
    database.ifPresentOrElse(d -> d.purge(store.keys()), store::purge);
  }

  @Override
  public void runAlone(Runnable task) {
    database.ifPresentOrElse(d -> d.runAlone(task), task);
  }

  @Override
  public void carryOut(Command command, Consumer<Outcome> done) {
    if (database.isEmpty()) {
      done.accept(store.apply(command));
      return;
    }
    Database.Work work = new Database.Work(Transaction.OTHER_CLIENT, command, false, World.SECOND);
    database
        .get()
        .execute(
            work,
            result ->
                done.accept(
                    result instanceof Database.Settled settled
                        ? settled.outcome()
                        : database.get().lockedOutcome(command)));
  }
}
