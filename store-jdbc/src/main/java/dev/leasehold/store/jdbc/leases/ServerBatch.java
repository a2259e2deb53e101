package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A batch of commands on leases for a server: defines the order of array statements and rules. An
 * acquire of a locked row is answered with the holder of the key; any other command is left open.
 */
final class ServerBatch extends TableBatch<LeaseKey, Command, Settled> {
  private final Limits limits;

  ServerBatch(
      LeaseTable table,
      List<Command> batch,
      Attempts attempts,
      LockedPlaces<LeaseKey> lockedPlaces) {
    super(table, batch, attempts, lockedPlaces);
    this.limits = table.limits();
  }

  private RuledBatch rules(StoreConnection connection) {
    return new RuledBatch(connection, limits);
  }

  @Override
  protected List<Settled> decideInOrder(StoreConnection connection, List<Command> commands)
      throws SQLException {
    return rules(connection).decideInOrder(commands);
  }

  @Override
  protected void settle(List<Integer> round) throws SQLException {
    settleRenewals(round);
    moveUsually(open(round, Command.Release.class::isInstance), open(round, this::isUsualAcquire));
    answerUnchanged(open(round, Command.Acquire.class::isInstance));
    // A single command goes straight to its own transaction, and waits there, unless it has waited
    // for a locked row before.
    if (batch.size() > 1 || isStuck(0)) {
      boolean unused = byRules(mayBeFree(round), ofFree("lock-leases"));
      boolean unusedToo = byRules(mayBeFree(round), (s, c) -> rules(s).decideNew(c));
    }
    for (int i : mayBeFree(round)) {
      if (isWorthWaitingFor(i)) {
        alone(i);
      }
    }
    for (int i : open(round, Command.Purge.class::isInstance)) {
      alone(i);
      answerLocked(i);
    }
    settleLocked(mayBeFree(round));
  }

  private Rules<Command, Settled> ofFree(String lock) {
    return (connection, commands) -> rules(connection).decideFree(commands, lock);
  }

  /**
   * Without commands that wait elsewhere: purges, which need the floor of a whole bucket, and
   * renewals, which were tried already.
   */
  private List<Integer> mayBeFree(List<Integer> round) {
    return open(round, c -> !(c instanceof Command.Purge) && !(c instanceof Command.Renew)).stream()
        .filter(i -> !isBlocked(i))
        .toList();
  }

  /** Acquires of held, closed or changed keys, and repeats, need no lock and no write. */
  private void answerUnchanged(List<Integer> acquires) throws SQLException {
    if (!acquires.isEmpty()) {
      List<Command> commands = commands(acquires);
      keep(acquires, reading(s -> rules(s).answerUnchanged(commands)).orElse(Map.of()));
    }
  }

  /** The same for the first of many on one key, as long as no earlier one may change it. */
  @Override
  protected void settleFirst(List<Integer> ofOneKey) throws SQLException {
    List<Command> commands = commands(ofOneKey);
    keep(ofOneKey, reading(s -> rules(s).answerFirstUnchanged(commands)).orElse(Map.of()));
  }

  @Override
  protected void settleLocked(List<Integer> locked) throws SQLException {
    List<Integer> acquires = open(locked, Command.Acquire.class::isInstance);
    Map<LeaseKey, Grant> grants =
        acquires.isEmpty()
            ? Map.of()
            : reading(s -> rules(s).grants(commands(acquires))).orElse(Map.of());
    for (int i : locked) {
      Grant grant = acquires.contains(i) ? grants.get(place(i)) : null;
      if (grant != null && !isOf(grant, batch.get(i)) && !isBlocked(i) && !wasCutOff()) {
        answer(i, Settled.of(held(grant, sawLocked(i))));
      } else if (batch.get(i) instanceof Command.Renew && batch.size() > 1) {
        answerLocked(i);
      } else {
        leaveOpen(i);
      }
    }
  }

  /** Whether an earlier copy of the acquire was granted, since the row was last read for it. */
  private static boolean isOf(Grant grant, Command command) {
    return command instanceof Command.Acquire acquire
        && grant.requestId().equals(acquire.requestId());
  }

  /** Another transaction uses the row: the answer names the holder; the caller may ask again. */
  private static Outcome held(Grant grant, Optional<String> lockedBy) {
    return new Outcome.Held(
        grant.terms().info().holder(), grant.instanceId(), grant.token(), 0, lockedBy);
  }

  /**
   * A renewal waits for no other transaction: if its row is locked, the answer says so, and the
   * holder sends it again alone. A renewal that is alone in its batch is left open.
   */
  private void settleRenewals(List<Integer> round) throws SQLException {
    renewUsually(open(round, c -> c instanceof Command.Renew && ArrayStatements.takes(c, limits)));
    Rules<Command, Settled> ofFree = ofFree("lock-renewals");
    List<Integer> unusual = open(round, Command.Renew.class::isInstance);
    if (!byRules(unusual, ofFree)) {
      for (int i : unusual) {
        boolean unused = byRules(List.of(i), ofFree);
      }
    }
    boolean unused =
        byRules(
            open(round, Command.Renew.class::isInstance),
            (s, c) -> rules(s).decideRenewalsOfNothing(c));
    for (int i : open(round, Command.Renew.class::isInstance)) {
      if (batch.size() == 1) {
        block(i);
      } else {
        answerLocked(i);
      }
    }
  }

  /** If one row fails the statement, by halves: one by one, thousands of renewals would be late. */
  private void renewUsually(List<Integer> renewals) throws SQLException {
    if (renewals.isEmpty()) {
      return;
    }
    List<Command.Renew> commands = commands(renewals, Command.Renew.class);
    Optional<Map<Integer, Settled>> renewed =
        statement(s -> new ArrayStatements(s).renew(commands));
    keep(renewals, renewed.orElse(Map.of()));
    if (renewed.isEmpty() && renewals.size() > 1) {
      int half = renewals.size() / 2;
      renewUsually(renewals.subList(0, half));
      renewUsually(renewals.subList(half, renewals.size()));
    }
  }

  private boolean isUsualAcquire(Command command) {
    return command instanceof Command.Acquire acquire
        && acquire.expected().isEmpty()
        && ArrayStatements.takes(acquire, limits);
  }

  private void moveUsually(List<Integer> releases, List<Integer> acquires) throws SQLException {
    if (releases.isEmpty() && acquires.isEmpty()) {
      return;
    }
    List<Command.Release> given = commands(releases, Command.Release.class);
    List<Command.Acquire> wanted = commands(acquires, Command.Acquire.class);
    Optional<ArrayStatements.Moved> moved =
        statement(s -> new ArrayStatements(s).move(given, wanted));
    if (moved.isEmpty()) {
      return;
    }
    keep(releases, moved.get().released());
    keep(acquires, moved.get().acquired());
    List<Integer> unseen =
        IntStream.range(0, acquires.size())
            .filter(n -> !moved.get().seen().contains(n))
            .mapToObj(acquires::get)
            .toList();
    if (!unseen.isEmpty()) {
      List<Command.Acquire> news = commands(unseen, Command.Acquire.class);
      keep(unseen, acquireNew(news));
    }
  }

  /** The statement may wait for a transaction that inserts the same row, but only briefly. */
  private Map<Integer, Settled> acquireNew(List<Command.Acquire> news) throws SQLException {
    try {
      return briefly(connection -> new ArrayStatements(connection).acquireNew(news));
    } catch (SQLException e) {
      return TableBatch.<Map<Integer, Settled>>nothingIfOfOne(e).orElse(Map.of());
    }
  }
}
