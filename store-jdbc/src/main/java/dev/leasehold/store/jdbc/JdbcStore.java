package dev.leasehold.store.jdbc;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.anchors.JdbcAnchorStore;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.effects.Guards;
import dev.leasehold.store.jdbc.health.HealthLoop;
import dev.leasehold.store.jdbc.health.Poll;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.health.StoreClock;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLease;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLoop;
import dev.leasehold.store.jdbc.ledger.JdbcLedger;
import dev.leasehold.store.jdbc.ledger.Reports;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import dev.leasehold.store.jdbc.objects.JdbcObjectStore;
import dev.leasehold.store.jdbc.rows.RowStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Leases in a database: SQLite, PostgreSQL or CockroachDB.
 *
 * <pre>{@code
 * try (JdbcStore store = JdbcStore.at("sqlite:leases.db").migrate().open();
 *     Leases leases = Leases.on(store).open()) {
 *   ...
 * }
 * }</pre>
 */
public final class JdbcStore implements Store {
  private final JdbcLeaseStore leases;
  private final JdbcObjectStore objects;
  private final Effects effects;
  private final Guards guards;
  private final StoreMarks marks;
  private final Diagnostics diagnostics;
  private final List<Object> parts;
  private final HealthLoop healthLoop;
  private final Housekeeping housekeeping;
  private final HousekeepingLoop tidier;
  private final Reports reports;
  private final Hints hints;
  private final Engine engine;
  private final AutoCloseable pools;

  JdbcStore(Parts parts) {
    Ledger ledger = new JdbcLedger(parts.engine());
    this.reports = new Reports(ledger);
    Suspicions suspicions = new Suspicions(reports);
    this.leases = new JdbcLeaseStore(parts, ledger, suspicions, this::close);
    this.healthLoop = parts.healthLoop();
    this.housekeeping = parts.housekeeping();
    this.tidier =
        new HousekeepingLoop(
            housekeeping, new HousekeepingLease(leases::apply, ledger, Ticker.system()));
    this.effects =
        new Effects(
            new Effects.Parts(
                parts.namespace(),
                parts.effects(),
                parts.detector(),
                new Effects.Audit(suspicions, reports),
                Ticker.system()));
    this.guards = new Guards(parts.dialect(), parts.engine());
    this.objects =
        new JdbcObjectStore(
            new RowStore.Parts(
                parts.dialect(), parts.engine(), parts.hints(), effects, parts.limits()));
    this.marks = target -> JdbcFence.before(target, parts.marks().get());
    this.hints = parts.hints();
    this.engine = parts.engine();
    this.pools = parts.pools();
    StoreClock clock = new StoreClock(Ticker.system());
    this.diagnostics = new Diagnostics(parts, clock);
    this.parts = offered(parts);
    healthLoop.eachRound(
        () -> {
          var unused = reports.write();
        });
    healthLoop.eachCheck(new Poll(Ticker.system()).with(clock)::ask);
  }

  private List<Object> offered(Parts from) {
    List<Object> offered = new ArrayList<>();
    offered.addAll(List.of(leases, objects, guards, marks, diagnostics));
    offered.add(new PastGrants(from.engine()));
    offered.add(new KeyRows(from.engine()));
    if (from.dialect().hasRowLeases()) {
      offered.add(new JdbcAnchorStore(from.engine()));
    }
    if (from.dialect().tellsLockHolders()) {
      offered.add(new RowLocks(from.engine()));
    }
    return List.copyOf(offered);
  }

  void tidyInBackground() {
    tidier.start();
  }

  /** The components of a store; closed with it. */
  record Parts(
      Dialect dialect,
      Engine engine,
      Limits limits,
      Hints hints,
      RollbackDetector detector,
      HealthLoop healthLoop,
      Housekeeping housekeeping,
      ConnectionSource effects,
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

  /** A store in a database for which the application has a pool. The pool is not closed. */
  public static JdbcStoreBuilder on(DataSource source) {
    return JdbcStoreBuilder.on(source);
  }

  @Override
  public LeaseStore leases() {
    return leases;
  }

  /**
   * A part of this store, if it has one of this type: its leases, its objects, {@link Guards},
   * {@link StoreMarks}, {@link Diagnostics}, {@link PastGrants}, {@link KeyRows}, and on PostgreSQL
   * {@link RowLocks}.
   */
  @Override
  public <P> Optional<P> part(Class<P> type) {
    return parts.stream().filter(type::isInstance).map(type::cast).findFirst();
  }

  /** What the store reports about itself. */
  public Diagnostics diagnostics() {
    return diagnostics;
  }

  /**
   * Changes in the leases' own database that take effect only while their grant is current.
   *
   * @param target the name of the changed thing, in the audit and in the trail
   */
  public AtEffect atEffect(String target, RefusalTrail trail) {
    return new AtEffect(target, trail, effects);
  }

  /**
   * A fence that keeps its marks beside the leases, for targets that keep none of their own. When
   * the store has gone back to an earlier state, marks are lost too: then the fence gives no answer
   * until an operator has advanced the incarnation.
   */
  public JdbcFence fence(String target) {
    return marks.fence(target);
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
   * Removes old rows now that no request can depend on. One of the processes that have the store
   * open also does so in the background.
   *
   * @return how many rows were removed, when it is done
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
    healthLoop.close();
    reports.close();
    hints.close();
    engine.close();
    effects.close();
    try {
      pools.close();
    } catch (Exception e) {
      throw new IllegalStateException("the connections could not be closed", e);
    }
  }
}
