package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The connections of one process to its database: a few for commands, one for renewals. A batch has
 * a connection to itself while it runs. A command whose row is locked waits without one, and not
 * for long; a renewal waits for its row in the queue, apart from the others.
 */
final class Lanes implements Carrier {
  private static final int COMMAND_CONNECTIONS = 4;

  /** How long a command whose row is locked is retried before it is answered Failed. */
  private static final long PARKED = World.SECOND / 5;

  private static final long RENEWAL_WAITS = 3 * World.SECOND / 10;

  /**
   * With the planted defect, how long a command waits for its row while it occupies a connection.
   */
  private static final long LOCK_TIMEOUT = World.SECOND;

  /** No command may be answered later than this because of another key's row. */
  private static final long LATEST_FOR_OTHERS = 6 * World.SECOND / 10;

  private final World world;
  private final SimProcess process;
  private final Database database;
  private final Judge judge;
  private final RollbackGuard rollbackGuard;
  private final Connections forCommands = new Connections(COMMAND_CONNECTIONS);
  private final Connections forRenewals = new Connections(1);

  /** The parts of a store that a process uses. */
  record Store(Database database, Judge judge, RollbackGuard rollbackGuard) {}

  Lanes(World world, SimProcess process, Store store) {
    this.world = world;
    this.process = process;
    this.database = store.database();
    this.judge = store.judge();
    this.rollbackGuard = store.rollbackGuard();
  }

  /** The free connections of one lane, and the jobs that wait for one. */
  private static final class Connections {
    private final Deque<Job> queue = new ArrayDeque<>();
    private int free;

    Connections(int size) {
      this.free = size;
    }

    void serve() {
      while (free > 0 && !queue.isEmpty()) {
        free--;
        queue.removeFirst().run(0);
      }
    }
  }

  private Connections connections(SimWire.Lane lane) {
    return lane == SimWire.Lane.COMMANDS ? forCommands : forRenewals;
  }

  @Override
  public void carryOut(Batch batch, Consumer<List<Outcome>> done) {
    if (rollbackGuard.refuses()) {
      batch.commands().forEach(c -> judge.wentWrong(process, batch.lane(), c, world.now()));
      Outcome refused = new Outcome.Failed(Certainty.NOT_APPLIED, "the store has lost writes");
      done.accept(Collections.nCopies(batch.commands().size(), refused));
      return;
    }
    Connections connections = connections(batch.lane());
    connections.queue.add(new Job(batch, done));
    connections.serve();
  }

  private static final class Item {
    final Command command;
    Optional<Outcome> outcome = Optional.empty();
    boolean waited;
    long startedNanos;

    /** How long its row was found locked. */
    long lockedNanos;

    Item(Command command) {
      this.command = command;
    }
  }

  /** One batch. */
  private final class Job {
    private final Batch batch;
    private final Consumer<List<Outcome>> done;
    private final List<Item> items = new ArrayList<>();
    private final Deque<Item> parked = new ArrayDeque<>();
    private final Set<LeaseKey> parkedKeys = new HashSet<>();
    private final boolean forgetful = rollbackGuard.hasForgotten();
    private final long submittedNanos = world.now();
    private long parkedSinceNanos;
    private boolean waitedInVain;
    private int left;

    Job(Batch batch, Consumer<List<Outcome>> done) {
      this.batch = batch;
      this.done = done;
      batch.commands().forEach(command -> items.add(new Item(command)));
      this.left = items.size();
    }

    /**
     * Runs one command after the other; a command with a locked row is parked, and so are later
     * ones of its key.
     */
    void run(int index) {
      if (index == items.size()) {
        Connections connections = connections(batch.lane());
        connections.free++;
        parkedSinceNanos = world.now();
        retry();
        connections.serve();
        return;
      }
      Item item = items.get(index);
      if (parkedKeys.contains(item.command.key())) {
        park(item);
        run(index + 1);
        return;
      }
      execute(item, holding(item), result -> first(item, result, index));
    }

    /** How long a command waits while it occupies its connection. */
    private long holding(Item item) {
      boolean keeps = world.plant() == Plant.LOCKED_ROWS_KEEP_CONNECTIONS && !waitedInVain;
      return keeps && !(item.command instanceof Command.Renew) ? LOCK_TIMEOUT : 0;
    }

    private void execute(Item item, long waitNanos, Consumer<Database.Result> then) {
      item.startedNanos = item.startedNanos == 0 ? world.now() : item.startedNanos;
      database.execute(
          new Database.Work(process, item.command, batch.late(), waitNanos),
          result -> {
            if (result instanceof Database.Locked) {
              item.lockedNanos = world.now() - item.startedNanos;
            }
            then.accept(result);
          });
    }

    private void first(Item item, Database.Result result, int index) {
      switch (result) {
        case Database.Settled settled -> settle(item, settled.outcome());
        case Database.Locked locked -> locked(item);
      }
      run(index + 1);
    }

    private void locked(Item item) {
      item.waited = true;
      boolean skips =
          item.command instanceof Command.Renew
              && world.plant() == Plant.CONTENDERS_LOCK_AND_RENEWALS_SKIP;
      if (skips || world.plant() == Plant.LOCKED_ROWS_KEEP_CONNECTIONS) {
        waitedInVain = true;
        settle(item, database.lockedOutcome(item.command));
      } else if (item.command instanceof Command.Renew) {
        execute(item, RENEWAL_WAITS, result -> settleOrTell(item, result));
      } else {
        park(item);
      }
    }

    private void park(Item item) {
      item.waited = true;
      parkedKeys.add(item.command.key());
      parked.addLast(item);
    }

    private void settleOrTell(Item item, Database.Result result) {
      switch (result) {
        case Database.Settled settled -> settle(item, settled.outcome());
        case Database.Locked locked -> {
          judge.locked(process, item.command);
          settle(item, database.lockedOutcome(item.command));
        }
      }
    }

    /** Retries parked commands, in order, while there is time. */
    private void retry() {
      Item next = parked.peekFirst();
      if (next == null) {
        return;
      }
      world.after(
          world.between(World.SECOND / 50, World.SECOND / 25),
          () -> execute(next, 0, result -> retried(next, result)));
    }

    private void retried(Item item, Database.Result result) {
      boolean timeIsUp = world.now() - parkedSinceNanos > PARKED;
      if (result instanceof Database.Settled || timeIsUp) {
        parked.remove(item);
        settleOrTell(item, result);
      } else {
        // Another key's row may be free meanwhile, but one key's commands stay in order.
        parked.remove(item);
        insertBehindOthers(item);
      }
      retry();
    }

    private void insertBehindOthers(Item item) {
      List<Item> all = new ArrayList<>(parked);
      List<Item> own =
          all.stream().filter(i -> i.command.key().equals(item.command.key())).toList();
      all.removeAll(own);
      parked.clear();
      parked.addAll(all);
      parked.addLast(item);
      parked.addAll(own);
    }

    private void settle(Item item, Outcome outcome) {
      item.outcome = Optional.of(outcome);
      boolean broken = outcome instanceof Outcome.Failed && !item.waited;
      if (broken) {
        judge.wentWrong(process, batch.lane(), item.command, submittedNanos);
      }
      if (forgetful && outcome instanceof Outcome.Granted granted) {
        judge
            .rollbackChecks()
            .grantedByARefused(process, item.command.key(), granted.grant().token());
      }
      left--;
      if (left == 0) {
        finish();
      }
    }

    private void finish() {
      long locked = items.stream().mapToLong(item -> item.lockedNanos).max().orElse(0);
      Optional<Item> stranger = items.stream().filter(item -> !item.waited).findFirst();
      if (locked > LATEST_FOR_OTHERS && stranger.isPresent()) {
        world.broken(
            "strangers",
            "a command of "
                + process
                + " on "
                + stranger.get().command.key()
                + " has waited for "
                + locked / World.MILLI
                + " ms, since the row of another key is locked");
      }
      done.accept(items.stream().map(item -> item.outcome.orElseThrow()).toList());
    }
  }
}
