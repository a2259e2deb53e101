package dev.leasehold.store.jdbc;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.store.jdbc.batches.Batches;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.HealthLoop;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.housekeeping.Sweep;
import dev.leasehold.store.jdbc.leases.LeaseChanges;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import dev.leasehold.store.jdbc.leases.LeaseRow;
import dev.leasehold.store.jdbc.leases.LeaseTable;
import dev.leasehold.store.jdbc.leases.RevokedGrants;
import dev.leasehold.store.jdbc.leases.Settled;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import dev.leasehold.store.jdbc.opening.Identity;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The leases of a store in a database. */
final class JdbcLeaseStore implements LeaseStore {
  private final Dialect dialect;
  private final Engine engine;
  private final LeaseTable table;
  private final Batches<Command, Settled> batches;
  private final Limits limits;
  private final Hints hints;
  private final Hints.Feed<LeaseChange> changes;
  private final RollbackDetector detector;
  private final HealthLoop healthLoop;
  private final Ledger ledger;
  private final Suspicions suspicions;
  private final Runnable closing;

  /** {@code closing} closes the store that this is a part of. */
  JdbcLeaseStore(JdbcStore.Parts parts, Ledger ledger, Suspicions suspicions, Runnable closing) {
    this.dialect = parts.dialect();
    this.engine = parts.engine();
    this.limits = parts.limits();
    this.hints = parts.hints();
    this.changes = hints.open(LeaseChanges.KIND);
    this.table = new LeaseTable(limits, hints.lines());
    this.batches = engine.open(table);
    this.detector = parts.detector();
    this.healthLoop = parts.healthLoop();
    this.ledger = ledger;
    this.suspicions = suspicions;
    this.closing = closing;
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return batches
        .apply(batch)
        .thenApply(
            settled -> {
              detector.saw(batch, settled.stream().map(Settled::outcome).toList());
              return tell(settled);
            });
  }

  /** Revokes all grants of these instance ids, on SQLite; returns how many grants that were. */
  int revokeGrantsOf(Set<InstanceId> ids, Operator by, Explanation why) {
    if (!dialect.hasOneWriter()) {
      throw new IllFormedException("only a SQLite file is served under a lock of its own");
    }
    RevokedGrants revoking = new RevokedGrants(ids, by, why);
    CompletionStage<List<Settled>> settled =
        engine.change(all -> all.run(connection -> revoking.by(table, connection)));
    List<Outcome> outcomes = tell(Opening.within(() -> settled.toCompletableFuture().join()));
    int revoked = (int) outcomes.stream().filter(Outcome.Revoked.class::isInstance).count();
    int free = (int) outcomes.stream().filter(Outcome.Free.class::isInstance).count();
    if (revoked + free < outcomes.size()) {
      throw new StoreUnusableException("what a dead server held cannot be revoked: " + outcomes);
    }
    return revoked;
  }

  /** Tells the watchers of committed changes, counts them, and runs their follow-ups. */
  private List<Outcome> tell(List<Settled> settled) {
    List<Command> followUps = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>(settled.size());
    for (Settled one : settled) {
      one.suspicion().ifPresent(suspicions::add);
      one.followUp().ifPresent(followUps::add);
      outcomes.add(one.outcome());
    }
    changes.tell(settled);
    if (!followUps.isEmpty()) {
      // Off the lane that answered the caller; if it fails, the next renewal finds the same stall.
      var unused = apply(followUps);
    }
    return outcomes;
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return engine.read(
        connection ->
            connection.first(
                row -> reading(LeaseRow.read(row)), "read", Buckets.of(key), key.text()));
  }

  private static LeaseReading reading(LeaseRow.Found found) {
    long now = Math.max(found.clockMillis(), found.row().record().writtenAtMillis());
    return new LeaseReading(
        LeaseRules.inIncarnation(found.row().record(), found.storeIncarnation()), now);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    String after = query.after().map(LeaseKey::text).orElse("");
    // Keys are visible ASCII, so this is above every key with the prefix.
    String end = query.prefix() + '\u007f';
    return engine.read(
        connection ->
            page(
                connection.list(
                    row -> reading(LeaseRow.read(row)),
                    "list",
                    after,
                    query.prefix(),
                    end,
                    query.limit() + 1),
                query.limit()));
  }

  private static LeasePage page(List<LeaseReading> found, int limit) {
    if (found.size() <= limit) {
      return new LeasePage(found, Optional.empty());
    }
    List<LeaseReading> items = found.subList(0, limit);
    return new LeasePage(items, Optional.of(items.getLast().record().key()));
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return changes.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return new Sweep(engine, LeasePurge.after(query.deadForMillis(), limits), query.limit()).run();
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return engine
        .read(
            connection -> {
              // If the store has gone back unnoticed, this finds it, and then what this process
              // remembers counts as evidence.
              detector.checkAll(connection);
              return detector.replacedFile(connection);
            })
        .thenCompose(
            replacedFile ->
                replacedFile.isPresent()
                    // The file has lost its name: no other process would see what is written to it.
                    ? CompletableFuture.completedStage(new Advance.Refused(replacedFile.get()))
                    : engine.transact(connection -> advance(connection, detector.testify(advance))))
        .thenApply(
            outcome -> {
              if (outcome instanceof Advance.Advanced) {
                detector.keep();
                hints.reset();
                // Lifts a refusal at once, instead of at the next round.
                healthLoop.checkNow();
              }
              return outcome;
            });
  }

  Advance.Outcome advance(StoreConnection connection, Advance request) throws SQLException {
    engine.lockOutWriters(connection);
    Identity identity = Identity.read(connection);
    return connection.query(
        rows -> {
          if (!rows.next()) {
            return new Advance.Refused("the store's own row is missing: run leasehold migrate");
          }
          StoreIncarnation storeIncarnation = LeaseRow.storeIncarnation(rows, 1);
          IncarnationRules.Advancing advancing =
              IncarnationRules.advance(
                  storeIncarnation, request, rows.getLong(3), greatestRemaining(connection));
          if (advancing.outcome() instanceof Advance.Advanced) {
            StoreIncarnation next = advancing.storeIncarnation();
            connection.update(
                "advance",
                next.incarnation(),
                next.heldOffUntilMillis(),
                identity.systemId(),
                identity.timeline());
            connection.update("advance-founding", next.incarnation() - 1);
          }
          return advancing.outcome();
        },
        "lock-store");
  }

  private static long greatestRemaining(StoreConnection connection) throws SQLException {
    return Math.max(0, connection.number("greatest-remaining"));
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return engine.read(connection -> suspicions.report());
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public void close() {
    closing.run();
  }
}
