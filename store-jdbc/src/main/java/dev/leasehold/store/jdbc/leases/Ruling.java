package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Applies the rules to rows: finds and locks a key's row, lets the kernel decide, and writes the
 * result. It runs in the caller's transaction, and handles every command.
 */
final class Ruling {
  private final StoreConnection connection;
  private final Limits limits;

  Ruling(StoreConnection connection, Limits limits) {
    this.connection = connection;
    this.limits = limits;
  }

  /** Another transaction has inserted the row meanwhile: decide again. */
  static final class Overtaken extends SQLException {
    private static final long serialVersionUID = 1L;

    /** With the SQL state of a serialization failure. */
    Overtaken(LeaseKey key) {
      super("the row of " + key + " has just been inserted by another", "40001");
    }
  }

  /**
   * Waits for the row or, if there is none, for the bucket's floor, so that neither a purge nor
   * another acquire can intervene. Floors are locked before rows.
   */
  Settled decideAlone(Command command) throws SQLException {
    boolean purges = command instanceof Command.Purge;
    Optional<LeaseRow.Found> found = purges ? Optional.empty() : lockRow(command);
    if (found.isPresent()) {
      return decide(command, found.get());
    }
    LeaseRow.Found blank = lockFloor(command.key(), purges);
    return decide(command, lockRow(command).orElse(blank));
  }

  private Optional<LeaseRow.Found> lockRow(Command command) throws SQLException {
    return connection.first(
        LeaseRow::read,
        command instanceof Command.Renew ? "lock-renewal" : "lock-lease",
        Buckets.of(command.key()),
        command.key().text());
  }

  private LeaseRow.Found lockFloor(LeaseKey key, boolean toRaise) throws SQLException {
    int bucket = Buckets.of(key);
    return connection
        .first(
            row -> LeaseRow.blank(key, row), toRaise ? "lock-floor-to-raise" : "lock-floor", bucket)
        .orElseThrow(() -> new SQLException("the floor of bucket " + bucket + " is missing"));
  }

  /** Decides over a locked row, and writes. */
  Settled decide(Command command, LeaseRow.Found found) throws SQLException {
    Decision decision;
    try {
      decision = foresee(command, found);
    } catch (IllFormedException | TokenExhaustedException e) {
      return Settled.of(new Outcome.Rejected(String.valueOf(e.getMessage())));
    }
    List<LeaseChange> changes = write(command.key(), found.row(), decision.effect());
    if (changes.isEmpty()
        && command instanceof Command.Release release
        && decision.outcome() instanceof Outcome.Released) {
      // A repeated release: the process that sent it first may have died before it told the
      // watchers.
      changes = List.of(Settled.change(LeaseChange.Kind.RELEASED, release, release.token()));
    }
    return settled(command, found, decision, changes);
  }

  /**
   * The answer to an acquire, by a row that is not locked, if the acquire changes nothing: it is
   * refused, or repeats one that is remembered. It was true when the row was read. Any other answer
   * must be decided under the lock.
   */
  Optional<Settled> unchanged(Command acquire, LeaseRow.Found found) throws SQLException {
    Decision decision;
    try {
      decision = foresee(acquire, found);
    } catch (IllFormedException | TokenExhaustedException e) {
      return Optional.empty();
    }
    return decision.effect() instanceof Decision.Unchanged
        ? Optional.of(settled(acquire, found, decision, List.of()))
        : Optional.empty();
  }

  private Decision foresee(Command command, LeaseRow.Found found) throws SQLException {
    try {
      long oldest = found.clockMillis() - limits.memoryMillis();
      StoredMemory memory = new StoredMemory(connection, found, command, oldest);
      KeyState state = new KeyState(found.row().record(), found.storeIncarnation(), memory);
      return LeaseRules.decide(state, command, found.clockMillis(), limits);
    } catch (StoredMemory.Unreadable e) {
      throw e.failure;
    }
  }

  private static Settled settled(
      Command command, LeaseRow.Found found, Decision decision, List<LeaseChange> changes) {
    Optional<SuspectedRollbacks.Case> suspicion =
        decision
            .unissued()
            .map(
                brought ->
                    new SuspectedRollbacks.Case(
                        command.key(), brought, found.row().record().last(), found.clockMillis()));
    return new Settled(decision.outcome(), changes, false, suspicion, decision.followUp());
  }

  private List<LeaseChange> write(LeaseKey key, LeaseRow before, Decision.Effect effect)
      throws SQLException {
    switch (effect) {
      case Decision.Unchanged unchanged -> {
        return List.of();
      }
      case Decision.Put put -> {
        put(key, before, put);
        return put.changes();
      }
      case Decision.Delete delete -> {
        delete(key, delete.floor());
        return List.of();
      }
    }
  }

  private void put(LeaseKey key, LeaseRow before, Decision.Put put) throws SQLException {
    LeaseRow after = after(before, put);
    PreparedStatement statement;
    if (after.continues(before)) {
      statement = connection.prepare("update-grant");
      after.bindContinued(statement, Buckets.of(key));
    } else {
      boolean isNew = before.record().isBlank();
      statement = connection.prepare(isNew ? "insert-lease" : "update-lease");
      after.bind(statement, Buckets.of(key));
    }
    if (statement.executeUpdate() != 1) {
      throw new Overtaken(key);
    }
    if (put.ending().isPresent()) {
      insertPastGrant(key, before, put.ending().get(), put.record().writtenAtMillis());
    }
    if (put.remembered().isPresent()) {
      remember(key, put.remembered().get());
    }
  }

  private static LeaseRow after(LeaseRow before, Decision.Put put) {
    Optional<Remembered> done = put.remembered();
    boolean sameGrant =
        put.record().grant().map(Grant::token).equals(before.record().grant().map(Grant::token));
    if (!sameGrant) {
      return new LeaseRow(put.record(), did(done, Remembered.Verb.HAND_OVER), Optional.empty());
    }
    Optional<RequestId> endRequest =
        did(done, Remembered.Verb.RELEASE)
            ? done.map(effect -> effect.request().requestId())
            : before.endRequest();
    return new LeaseRow(put.record(), before.inherited(), endRequest);
  }

  private static boolean did(Optional<Remembered> effect, Remembered.Verb verb) {
    return effect.map(e -> e.request().verb()).equals(Optional.of(verb));
  }

  private void insertPastGrant(LeaseKey key, LeaseRow before, Ending ending, long atMillis)
      throws SQLException {
    Grant past = before.record().grant().orElseThrow();
    Reasons reason = Reasons.of(ending.reason());
    connection.update(
        "insert-past-grant",
        Buckets.of(key),
        key.text(),
        past.token().value(),
        past.instanceId().text(),
        before.inherited(),
        past.requestId().text(),
        past.terms().info().holder(),
        past.terms().info().purpose(),
        past.terms().info().region(),
        past.grantedAtMillis(),
        atMillis,
        reason.word(),
        reason.by(),
        reason.why(),
        reason.token(),
        before.endRequest().map(RequestId::text).orElse(null));
  }

  /** Acquires and releases are stored in the row, and move out of it together with their grant. */
  private void remember(LeaseKey key, Remembered effect) throws SQLException {
    Remembered.Request request = effect.request();
    switch (request.verb()) {
      case ACQUIRE, RELEASE -> {}
      case ABANDON, HAND_OVER, REVOKE, REOPEN ->
          connection.update(
              "insert-request",
              Buckets.of(key),
              key.text(),
              request.requestId().text(),
              request.verb().name(),
              StoredMemory.text(request.caller()),
              effect.token().value(),
              effect.atMillis());
    }
  }

  /** Raises the floor first, so that the key's next grant gets a higher token. */
  private void delete(LeaseKey key, Token floor) throws SQLException {
    int bucket = Buckets.of(key);
    connection.update("raise-floor", floor.value(), bucket, floor.value());
    connection.update("delete-lease", bucket, key.text());
    connection.update("delete-past-grant", bucket, key.text());
    connection.update("delete-request", bucket, key.text());
  }
}
