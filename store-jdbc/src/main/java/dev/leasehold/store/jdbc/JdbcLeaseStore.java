package dev.leasehold.store.jdbc;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.rules.Era;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.LeaseRules;
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
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.effects.Guards;
import dev.leasehold.store.jdbc.health.Caretaker;
import dev.leasehold.store.jdbc.health.Sentry;
import dev.leasehold.store.jdbc.health.StoreClock;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLease;
import dev.leasehold.store.jdbc.housekeeping.Sweep;
import dev.leasehold.store.jdbc.housekeeping.Tidier;
import dev.leasehold.store.jdbc.leases.LeaseEngine;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import dev.leasehold.store.jdbc.leases.LeaseRow;
import dev.leasehold.store.jdbc.leases.Settled;
import dev.leasehold.store.jdbc.leases.SqliteEngine;
import dev.leasehold.store.jdbc.ledger.JdbcLedger;
import dev.leasehold.store.jdbc.ledger.Reports;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import dev.leasehold.store.jdbc.objects.JdbcObjectStore;
import dev.leasehold.store.jdbc.opening.Examiner;
import dev.leasehold.store.jdbc.opening.Identity;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.status.ClockSteps;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Leases in a database: SQLite, PostgreSQL or CockroachDB.
 *
 * <pre>{@code
 * try (JdbcLeaseStore store = JdbcLeaseStore.at("sqlite:leases.db").migrate().open();
 *     Leases leases = Leases.on(store).open()) {
 *   ...
 * }
 * }</pre>
 */
public final class JdbcLeaseStore implements LeaseStore {
  private final LeaseEngine engine;
  private final Limits limits;
  private final Hints hints;
  private final Sentry sentry;
  private final Caretaker caretaker;
  private final Housekeeping housekeeping;
  private final Tidier tidier;
  private final AutoCloseable pools;
  private final Ledger ledger;
  private final Reports reports;
  private final Suspicions suspicions;
  private final Effects effects;
  private final Guards guards;
  private final RowLocks rowLocks;
  private final JdbcObjectStore objects;
  private final Supplier<DataSource> marks;
  private final StoreClock clock = new StoreClock(Ticker.system());

  JdbcLeaseStore(Parts parts) {
    this.engine = parts.engine();
    this.limits = parts.limits();
    this.hints = parts.hints();
    this.sentry = parts.sentry();
    this.caretaker = parts.caretaker();
    this.housekeeping = parts.housekeeping();
    this.pools = parts.pools();
    this.ledger = new JdbcLedger(engine);
    this.tidier =
        new Tidier(housekeeping, new HousekeepingLease(this::apply, ledger, Ticker.system()));
    this.reports = new Reports(ledger);
    this.suspicions = new Suspicions(reports);
    this.effects =
        new Effects(
            new Effects.Parts(
                parts.namespace(),
                parts.effects(),
                sentry,
                new Effects.Audit(suspicions, reports),
                Ticker.system()));
    this.guards = new Guards(parts.dialect(), engine);
    this.rowLocks = new RowLocks(parts.dialect(), engine);
    this.objects =
        new JdbcObjectStore(
            new JdbcObjectStore.Parts(parts.dialect(), engine, hints, effects, limits));
    this.marks = parts.marks();
    caretaker.eachRound(
        () -> {
          var unused = reports.write();
        });
    caretaker.eachLook(clock::look);
  }

  void tidyInBackground() {
    tidier.start();
  }

  /** What a store is made of; closed with it. */
  record Parts(
      Dialect dialect,
      LeaseEngine engine,
      Limits limits,
      Hints hints,
      Sentry sentry,
      Caretaker caretaker,
      Housekeeping housekeeping,
      Sessions effects,
      Namespace namespace,
      Supplier<DataSource> marks,
      AutoCloseable pools) {}

  /**
   * A store by its URL: {@code sqlite:PATH}, {@code jdbc:postgresql://...} or {@code
   * jdbc:cockroachdb://...}. The driver must be on the class path.
   */
  public static JdbcStoreBuilder at(String url) {
    return JdbcStoreBuilder.at(url);
  }

  /** A store in a database that the application has a pool for. It is not closed. */
  public static JdbcStoreBuilder on(DataSource source) {
    return JdbcStoreBuilder.on(source);
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    if (batch.isEmpty()) {
      return CompletableFuture.completedFuture(List.of());
    }
    return engine
        .apply(batch)
        .thenApply(
            settled -> {
              sentry.saw(batch, settled.stream().map(Settled::outcome).toList());
              return tell(settled);
            });
  }

  /** Takes away all that is held under these ids, on SQLite; says how many grants that were. */
  int revokeGrantsOf(Set<InstanceId> ids, Operator by, Explanation why) {
    if (!(engine instanceof SqliteEngine sqlite)) {
      throw new IllFormedException("only a SQLite file is served under a lock of its own");
    }
    List<Outcome> outcomes =
        Opening.within(() -> sqlite.revokeGrantsOf(ids, by, why).toCompletableFuture().join())
            .stream()
            .map(settled -> tell(List.of(settled)).getFirst())
            .toList();
    int revoked = (int) outcomes.stream().filter(Outcome.Revoked.class::isInstance).count();
    int free = (int) outcomes.stream().filter(Outcome.Free.class::isInstance).count();
    if (revoked + free < outcomes.size()) {
      throw new StoreUnusableException("what a dead server held cannot be revoked: " + outcomes);
    }
    return revoked;
  }

  /** What is committed is told, counted and followed up. */
  private List<Outcome> tell(List<Settled> settled) {
    List<Command> followUps = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>(settled.size());
    for (Settled one : settled) {
      one.suspicion().ifPresent(suspicions::add);
      one.followUp().ifPresent(followUps::add);
      outcomes.add(one.outcome());
    }
    List<LeaseChange> changes = settled.stream().flatMap(one -> one.changes().stream()).toList();
    hints.tellHere(changes);
    hints.tellOthers(
        settled.stream()
            .filter(one -> !one.unheard())
            .flatMap(one -> one.changes().stream())
            .toList());
    if (!followUps.isEmpty()) {
      // Off the lane of whoever was answered; if it fails, the next renewal finds the same stall.
      var unused = apply(followUps);
    }
    return outcomes;
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return engine.read(
        session ->
            session.query(
                rows -> rows.next() ? Optional.of(reading(LeaseRow.read(rows))) : Optional.empty(),
                "read",
                Buckets.of(key),
                key.text()));
  }

  private static LeaseReading reading(LeaseRow.Found found) {
    long now = Math.max(found.clockMillis(), found.row().record().writtenAtMillis());
    return new LeaseReading(LeaseRules.inEra(found.row().record(), found.era()), now);
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    String after = query.after().map(LeaseKey::text).orElse("");
    // Keys are visible ASCII, so this is above every key with the prefix.
    String end = query.prefix() + '\u007f';
    return engine.read(
        session ->
            session.query(
                rows -> {
                  List<LeaseReading> found = new ArrayList<>();
                  while (rows.next()) {
                    found.add(reading(LeaseRow.read(rows)));
                  }
                  return page(found, query.limit());
                },
                "list",
                after,
                query.prefix(),
                end,
                query.limit() + 1));
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
    return hints.watch(prefix, listener);
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    return new Sweep(engine, new LeasePurge(limits, query.deadForMillis()), query.limit()).run();
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    return engine
        .read(
            session -> {
              // A loss that nobody has met yet makes what this process knows testimony.
              sentry.checkAll(session);
              return sentry.elsewhere(session);
            })
        .thenCompose(
            elsewhere ->
                elsewhere.isPresent()
                    // Nobody else would see what is written to a file that has no name any more.
                    ? CompletableFuture.completedStage(new Advance.Refused(elsewhere.get()))
                    : engine.transact(session -> advance(session, sentry.testify(advance))))
        .thenApply(
            outcome -> {
              if (outcome instanceof Advance.Advanced) {
                sentry.keep();
                hints.reset();
                // Lifts a refusal now and not at the next round; that comes anyway.
                caretaker.lookNow();
              }
              return outcome;
            });
  }

  Advance.Outcome advance(Session session, Advance request) throws SQLException {
    engine.lockOutWriters(session);
    Identity identity = Identity.read(session);
    return session.query(
        rows -> {
          if (!rows.next()) {
            return new Advance.Refused("the store's own row is missing: run leasehold migrate");
          }
          Era era = LeaseRow.era(rows, 1);
          IncarnationRules.Advancing advancing =
              IncarnationRules.advance(era, request, rows.getLong(3), greatestRemaining(session));
          if (advancing.outcome() instanceof Advance.Advanced) {
            Era next = advancing.era();
            session.update(
                "advance",
                next.incarnation(),
                next.heldOffUntilMillis(),
                identity.systemId(),
                identity.timeline());
            session.update("advance-founding", next.incarnation() - 1);
          }
          return advancing.outcome();
        },
        "lock-store");
  }

  private static long greatestRemaining(Session session) throws SQLException {
    return session.query(
        rows -> rows.next() ? Math.max(0, rows.getLong(1)) : 0L, "greatest-remaining");
  }

  /** Which store this is, and where it stands. */
  public CompletionStage<StoreIdentity> identity() {
    return engine.read(
        session -> {
          long now = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
          return session.query(
              rows -> {
                if (!rows.next()) {
                  throw new StoreUnusableException(
                      "the store's own row is missing: run leasehold migrate");
                }
                Era era = LeaseRow.era(rows, 2);
                long heldOff = Math.max(0, era.heldOffUntilMillis() - now);
                return new StoreIdentity(
                    rows.getString(1), era.incarnation(), heldOff, rows.getString(4));
              },
              "store");
        });
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return engine.read(session -> suspicions.report());
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  /**
   * Whether other processes can hear of this store's changes: sends one and waits for it on another
   * connection, for a few seconds. Where they cannot, waiters only learn of a release by their
   * timers.
   */
  public CompletionStage<Boolean> deliversChanges() {
    return new Lane("probe", 1).submit(hints::deliver);
  }

  /** How often a transaction was run again because of others, since the store was opened. */
  public long restarts() {
    return engine.restarts();
  }

  /**
   * How often the database's clock has stepped against this process's, by more than half a second.
   * It is looked at once a second.
   */
  public ClockSteps clockSteps() {
    return clock.steps();
  }

  /** Who else may create in the store's schema, on PostgreSQL. */
  public CompletionStage<SchemaCreators> schemaCreators() {
    return engine.read(SchemaCreators::read);
  }

  /** Why commands are refused: because the store has gone back to an earlier state. */
  public Optional<String> refusal() {
    return sentry.refusal();
  }

  /** Whether there is somebody outside the database who would know that it has gone back. */
  public WitnessState witness() {
    return sentry.witness();
  }

  /** What the database says of itself now, on a connection as the store uses it. */
  public CompletionStage<DatabaseFacts> examine(InstantSource wallClock) {
    return engine.read(session -> new Examiner(wallClock).examine(session));
  }

  /** The last grants of a key that others have followed, newest first. */
  public CompletionStage<List<PastGrant>> history(LeaseKey key) {
    return engine.read(session -> PastGrant.of(session, key));
  }

  /**
   * Changes in the leases' own database that take effect only while their grant is current.
   *
   * @param target what is changed, as the audit and the trail name it
   */
  public AtEffect atEffect(String target, RefusalTrail trail) {
    return new AtEffect(target, trail, effects);
  }

  /**
   * A fence whose marks are beside the leases, for targets that keep none of their own. A store
   * that has gone back to an earlier state has lost marks too: until its incarnation has been
   * advanced, the fence gives no answer.
   */
  public JdbcFence fence(String target) {
    return JdbcFence.before(target, marks.get());
  }

  /** Who has rows of leases locked, on PostgreSQL. */
  public RowLocks rowLocks() {
    return rowLocks;
  }

  /** API keys of servers, kept beside the leases. */
  public KeyRows keyRows() {
    return new KeyRows(engine);
  }

  /** Tables of this database that refuse changes without a current token. */
  public Guards guards() {
    return guards;
  }

  /** Versioned objects in this database; for {@code VersionedObjects.on}. */
  public ObjectStore objects() {
    return objects;
  }

  /**
   * Removes what nobody will ask for again, now; one of the processes that have the store open also
   * does so by itself.
   *
   * @return how many rows were removed, once that is done
   */
  public CompletionStage<Long> tidy() {
    CompletableFuture<Long> removed = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                removed.complete(housekeeping.tidyAll());
              } catch (SQLException | RuntimeException e) {
                removed.completeExceptionally(e);
              }
            });
    return removed;
  }

  @Override
  public void close() {
    tidier.close();
    caretaker.close();
    hints.close();
    reports.close();
    engine.close();
    effects.close();
    try {
      pools.close();
    } catch (Exception e) {
      throw new IllegalStateException("the connections could not be closed", e);
    }
  }
}
