package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.interleaving.Gate;
import dev.leasehold.store.jdbc.interleaving.Statements;
import dev.leasehold.store.jdbc.leases.LeaseTable;
import dev.leasehold.store.jdbc.leases.Settled;
import dev.leasehold.store.jdbc.ledger.Reports;
import dev.leasehold.store.jdbc.ledger.Suspicions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.postgresql.ds.PGSimpleDataSource;

/** One session behind a gate, used as a thread of a store or a user would use it. */
final class OrderedSession implements AutoCloseable {
  private static final LeaseTable LEASES =
      new LeaseTable(Dialect.POSTGRESQL.limits(), new ChangeLines());

  private final char name;
  private final Gate gate;
  private final StoreConnection session;
  private final Namespace namespace;
  private final ConnectionSource sessions =
      new ConnectionSource() {
        @Override
        public <T> T use(ConnectionWork<T> work) throws SQLException {
          return work.run(session);
        }

        @Override
        public void close() {}
      };

  OrderedSession(char name, String url, Statements statements) throws SQLException {
    this.name = name;
    this.gate = new Gate(DriverManager.getConnection(url), statements);
    Connector connector = new Connector(new Given(gate.connection()), Dialect.POSTGRESQL);
    this.session = connector.connect();
    this.namespace = connector.namespace();
  }

  /** Lends the only connection. */
  private static final class Given extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;
    private final transient Connection connection;

    Given(Connection connection) {
      this.connection = connection;
    }

    @Override
    public Connection getConnection() {
      return connection;
    }
  }

  char name() {
    return name;
  }

  Gate gate() {
    return gate;
  }

  /** A user's connection, without the store's settings. */
  Connection connection() {
    return gate.connection();
  }

  /** Carries out a batch as a store does. */
  List<Settled> apply(List<Command> batch) {
    TableBatch<LeaseKey, Command, Settled> run = LEASES.begin(batch, attempts(), unwatched());
    boolean unused = run.advance(Set.of());
    return run.end();
  }

  /** Carries out a renewal that is alone as a store does: if its row is locked, it waits. */
  List<Settled> renewWaiting(Command.Renew renewal) {
    List<Command> batch = List.of(renewal);
    TableBatch<LeaseKey, Command, Settled> run = LEASES.begin(batch, attempts(), unwatched());
    boolean unused = run.advance(Set.of()) || run.waitAlone();
    return run.end();
  }

  /** Tidies a page as a store does. */
  <T> T tidy(ConnectionWork<T> work) throws SQLException {
    return new Housekeeping.OnOwnConnections(sessions, new Backoff()).run(work);
  }

  /** Changes at effect, in transactions of this session. */
  AtEffect effects(JdbcStore store, String storeId) {
    Reports reports = new Reports(store.leases().ledger());
    return new AtEffect(
        "notes",
        new RefusalTrail(InstantSource.system()),
        new Effects(
            new Effects.Parts(
                namespace,
                sessions,
                new RollbackDetector(Dialect.POSTGRESQL, storeId, Optional.empty()),
                new Effects.Audit(new Suspicions(reports), reports),
                Ticker.system())));
  }

  /** Runs a transaction as a store does. */
  <T> T transact(ConnectionWork<T> work) throws SQLException {
    return attempts().run(s -> s.inBoundedTransaction(work));
  }

  /** Without lookups, which would be sessions of their own. */
  private static LockedPlaces<LeaseKey> unwatched() {
    return new LockedPlaces<>(key -> CompletableFuture.completedFuture(List.of()), Ticker.system());
  }

  private Attempts attempts() {
    return new Attempts(sessions, new Backoff());
  }

  @Override
  public void close() throws SQLException {
    gate.close();
  }
}
