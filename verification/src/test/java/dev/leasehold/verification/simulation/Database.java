package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The store as a database has it: several connections, row locks, commits that take time. A command
 * locks its row, reads the clock, is decided by the rules, and counts from its commit on; so what
 * others do in between is drawn from the seed. The {@link SimStore} decides and keeps the records.
 *
 * <p>A command is one transaction. Its row is locked from the reading of the clock to the commit,
 * so deciding at the commit, with that time, gives the same result; if a planted defect reads a row
 * without a lock, the value is kept from the time of reading.
 */
final class Database {
  /** After this idle time the server ends a transaction whose client is suspended. */
  private static final long LONGEST_IDLE = 3 * World.SECOND;

  static final String LOCKED = "its row is locked by another transaction";

  private final World world;
  private final SimStore store;
  private final StoreFaults storeFaults;
  private final RowLocks locks;
  private final List<Transaction> open = new ArrayList<>();

  /** A task that runs once no transaction is open; until then none begins. */
  private Optional<Runnable> alone = Optional.empty();

  private final List<Runnable> lockedOut = new ArrayList<>();

  Database(World world, SimStore store, StoreFaults storeFaults) {
    this.world = world;
    this.store = store;
    this.storeFaults = storeFaults;
    this.locks = new RowLocks(world);
  }

  /**
   * A command to be carried out.
   *
   * @param waitNanos how long it waits for its row with a connection; 0: a locked row is skipped
   */
  record Work(Transaction.Client client, Command command, boolean stray, long waitNanos) {}

  /** The result of a command. */
  sealed interface Result {}

  record Settled(Outcome outcome) implements Result {}

  /** Another transaction has its row. */
  record Locked() implements Result {}

  private Plant plant() {
    return world.plant();
  }

  private boolean has(Plant planted) {
    return plant() == planted;
  }

  /** The time of one statement, there and back. */
  private long statement() {
    return world.between(World.MILLI / 10, 2 * World.MILLI);
  }

  /** The time that a commit waits for the disk. */
  private long flush() {
    return world.chance(0.95)
        ? world.between(World.MILLI / 2, 12 * World.MILLI)
        : world.between(12 * World.MILLI, 80 * World.MILLI);
  }

  void execute(Work work, Consumer<Result> done) {
    world.after(statement(), () -> enter(() -> begin(work, done)));
  }

  private void enter(Runnable transaction) {
    if (alone.isPresent()) {
      lockedOut.add(transaction);
    } else {
      transaction.run();
    }
  }

  /**
   * Runs a task like an advance, which locks the table: after all open transactions and before all
   * others.
   */
  void runAlone(Runnable task) {
    if (alone.isEmpty()) {
      alone = Optional.of(task);
      admit();
    }
  }

  private void admit() {
    if (alone.isPresent() && open.isEmpty()) {
      Runnable task = alone.get();
      alone = Optional.empty();
      task.run();
      List<Runnable> admitted = List.copyOf(lockedOut);
      lockedOut.clear();
      admitted.forEach(transaction -> world.after(0, () -> enter(transaction)));
    }
  }

  private void begin(Work work, Consumer<Result> done) {
    if (storeFaults.isDown()) {
      done.accept(new Settled(failed(Certainty.NOT_APPLIED, "the store cannot be reached")));
      return;
    }
    boolean looksFirst =
        work.command() instanceof Command.Acquire && !has(Plant.CONTENDERS_LOCK_AND_RENEWALS_SKIP);
    Optional<Outcome> refusal = looksFirst ? store.unchangedBy(work.command()) : Optional.empty();
    if (refusal.isPresent()) {
      done.accept(new Settled(refusal.get()));
      return;
    }
    LeaseKey key = work.command().key();
    Transaction transaction = begin(work.client());
    boolean exists = store.has(key);
    RowLocks.Wanted row = new RowLocks.Wanted(key.text(), modeOf(work.command()));
    boolean takenForAbsent =
        has(Plant.FLOOR_RAISED_UNDER_A_WEAK_LOCK)
            && work.command() instanceof Command.Acquire
            && locks.isLocked(transaction, row);
    List<RowLocks.Wanted> wanted = new ArrayList<>();
    if (!exists || takenForAbsent) {
      wanted.add(new RowLocks.Wanted(floorOf(key), RowLocks.Mode.KEY_SHARE));
    }
    wanted.add(row);
    long wait = takenForAbsent ? World.SECOND : work.waitNanos();
    Seen seen = new Seen(exists && !takenForAbsent, takenForAbsent, store.floorOf(key));
    Attempt attempt = new Attempt(transaction, work, seen, done);
    lock(transaction, wanted, new RowLocks.Waiting(wait, attempt::locked, attempt::skipped));
  }

  /** On a lane of its own, not that of the command that caused it. */
  private void sendItself(Command command) {
    execute(
        new Work(Transaction.OTHER_CLIENT, command, true, World.SECOND),
        result -> {
          // If the store went away just then, the grant lasts until it expires.
          boolean ended = result instanceof Settled settled && !isFailed(settled.outcome());
          if (!ended) {
            store.leftToExpire(command);
          }
        });
  }

  private static boolean isFailed(Outcome outcome) {
    return outcome instanceof Outcome.Failed;
  }

  private static RowLocks.Mode modeOf(Command command) {
    return command instanceof Command.Renew ? RowLocks.Mode.NO_KEY_UPDATE : RowLocks.Mode.UPDATE;
  }

  private static String floorOf(LeaseKey key) {
    return "floor " + Buckets.of(key);
  }

  private static Outcome failed(Certainty certainty, String why) {
    return new Outcome.Failed(certainty, why);
  }

  /** What a command has read before it has its locks. */
  private record Seen(boolean exists, boolean takenForAbsent, Token floor) {}

  /** One command that has begun. */
  private final class Attempt {
    private final Transaction transaction;
    private final Work work;
    private final Seen seen;
    private final Consumer<Result> done;

    Attempt(Transaction transaction, Work work, Seen seen, Consumer<Result> done) {
      this.transaction = transaction;
      this.work = work;
      this.seen = seen;
      this.done = done;
    }

    void skipped() {
      rollBack(transaction);
      done.accept(new Locked());
    }

    /** If the row was inserted or deleted meanwhile, the command starts again. */
    void locked() {
      if (store.has(work.command().key()) != seen.exists()) {
        rollBack(transaction);
        execute(work, done);
        return;
      }
      long clockMillis = store.clockMillis();
      boolean ruledByClient = world.chance(0.5);
      if (ruledByClient) {
        onceClientRuns(transaction, () -> commit(clockMillis), this::cut);
      } else {
        commit(clockMillis);
      }
    }

    private void cut() {
      done.accept(new Settled(failed(Certainty.NOT_APPLIED, "its connection was closed")));
    }

    private void commit(long clockMillis) {
      world.after(
          flush(),
          () -> {
            if (transaction.isOver() || storeFaults.isDown()) {
              rollBack(transaction);
              done.accept(new Settled(failed(Certainty.UNKNOWN, "the connection broke")));
              return;
            }
            Optional<Token> floor =
                seen.takenForAbsent() ? Optional.of(seen.floor()) : Optional.empty();
            Outcome outcome =
                store.apply(work.command(), new SimStore.Reading(clockMillis, floor, work.stray()));
            Optional<Command> next = store.takeFollowUp();
            end(transaction);
            next.ifPresent(Database.this::sendItself);
            done.accept(new Settled(outcome));
          });
    }
  }

  /** The outcome of a command whose row is locked for longer than it waits. */
  Outcome lockedOutcome(Command command) {
    return command instanceof Command.Acquire
        ? store.heldBy(command.key()).orElse(failed(Certainty.NOT_APPLIED, LOCKED))
        : failed(Certainty.NOT_APPLIED, LOCKED);
  }

  private Transaction begin(Transaction.Client client) {
    Transaction transaction = new Transaction(client);
    open.add(transaction);
    return transaction;
  }

  private void end(Transaction transaction) {
    transaction.end();
    open.remove(transaction);
    locks.release(transaction);
    admit();
  }

  private void rollBack(Transaction transaction) {
    end(transaction);
  }

  /** The server is gone, and with it all uncommitted changes. */
  void cutAll() {
    List.copyOf(open).forEach(this::end);
  }

  /** Locks one row after the other, each with this timeout. */
  private void lock(
      Transaction transaction, List<RowLocks.Wanted> wanted, RowLocks.Waiting waiting) {
    if (wanted.isEmpty()) {
      waiting.locked().run();
      return;
    }
    Runnable next = () -> lock(transaction, wanted.subList(1, wanted.size()), waiting);
    if (waiting.forNanos() > 0) {
      locks.lock(
          transaction,
          wanted.getFirst(),
          new RowLocks.Waiting(waiting.forNanos(), next, waiting.inVain()));
    } else if (locks.tryLock(transaction, wanted.getFirst())) {
      next.run();
    } else {
      waiting.inVain().run();
    }
  }

  /** Waits for the next statement from the client, which may be suspended or dead. */
  private void onceClientRuns(Transaction transaction, Runnable next, Runnable cut) {
    awaitClient(transaction, world.now(), next, cut);
  }

  private void awaitClient(Transaction transaction, long sinceNanos, Runnable next, Runnable cut) {
    world.after(
        statement(),
        () -> {
          boolean tooLong = world.now() - sinceNanos > LONGEST_IDLE;
          if (transaction.isOver() || transaction.client().isDead() || tooLong) {
            rollBack(transaction);
            cut.run();
          } else if (transaction.client().isRunning()) {
            next.run();
          } else {
            world.after(World.SECOND / 20, () -> awaitClient(transaction, sinceNanos, next, cut));
          }
        });
  }

  /**
   * A user's transaction: it checks the grant, works for a while and commits its change, or never
   * gets that far. The database ends it at its bound.
   */
  record Effect(LeaseKey key, Token token, long worksNanos, long boundNanos) {}

  void changeAtEffect(Effect effect) {
    enter(() -> check(effect));
  }

  private void check(Effect effect) {
    Transaction transaction = begin(Transaction.OTHER_CLIENT);
    Runnable check =
        () -> {
          boolean current = store.isCurrent(effect.key(), effect.token());
          if (!current) {
            store.refuseAtEffect(effect.key(), effect.token());
            rollBack(transaction);
          } else if (effect.worksNanos() < effect.boundNanos()) {
            world.after(effect.worksNanos() + flush(), () -> changed(transaction, effect));
          } else {
            world.after(effect.boundNanos(), () -> rollBack(transaction));
          }
        };
    if (has(Plant.CHECK_WITHOUT_LOCK)) {
      check.run();
      return;
    }
    RowLocks.Wanted row = new RowLocks.Wanted(effect.key().text(), RowLocks.Mode.KEY_SHARE);
    locks.lock(
        transaction, row, new RowLocks.Waiting(World.SECOND, check, () -> rollBack(transaction)));
  }

  private void changed(Transaction transaction, Effect effect) {
    if (!transaction.isOver()) {
      store.changedAtEffect(effect.key(), effect.token());
      end(transaction);
    }
  }

  /**
   * An operator deletes rows of dead keys by hand and takes time to commit, or rolls back. The
   * table's trigger raises the floors.
   */
  void deleteByHand(List<LeaseKey> keys, long thinksNanos) {
    enter(() -> delete(keys, thinksNanos));
  }

  private void delete(List<LeaseKey> keys, long thinksNanos) {
    Transaction transaction = begin(Transaction.OTHER_CLIENT);
    RowLocks.Mode onFloor =
        has(Plant.FLOOR_RAISED_UNDER_A_WEAK_LOCK)
            ? RowLocks.Mode.NO_KEY_UPDATE
            : RowLocks.Mode.UPDATE;
    List<RowLocks.Wanted> wanted = new ArrayList<>();
    for (LeaseKey key : keys) {
      wanted.add(new RowLocks.Wanted(key.text(), RowLocks.Mode.UPDATE));
      wanted.add(new RowLocks.Wanted(floorOf(key), onFloor));
    }
    boolean commits = world.chance(0.8);
    Runnable decide =
        () -> {
          if (commits && !transaction.isOver()) {
            keys.stream().filter(store::isDead).forEach(store::deleteByHand);
          }
          rollBack(transaction);
        };
    lock(
        transaction,
        wanted,
        new RowLocks.Waiting(
            World.SECOND, () -> world.after(thinksNanos, decide), () -> rollBack(transaction)));
  }

  /** Locks the floor, then the row, and deletes keys that have been dead for long. */
  void purge(List<LeaseKey> keys) {
    keys.forEach(key -> enter(() -> purge(key)));
  }

  private void purge(LeaseKey key) {
    Transaction transaction = begin(Transaction.OTHER_CLIENT);
    List<RowLocks.Wanted> wanted =
        List.of(
            new RowLocks.Wanted(floorOf(key), RowLocks.Mode.UPDATE),
            new RowLocks.Wanted(key.text(), RowLocks.Mode.UPDATE));
    lock(
        transaction,
        wanted,
        new RowLocks.Waiting(0, () -> purge(transaction, key), () -> rollBack(transaction)));
  }

  private void purge(Transaction transaction, LeaseKey key) {
    long clockMillis = store.clockMillis();
    world.after(
        flush(),
        () -> {
          if (!transaction.isOver()) {
            store.purge(key, clockMillis);
            end(transaction);
          }
        });
  }
}
