package dev.leasehold.store.jdbc;

import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Namespace;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.health.Sentry;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.interleaving.Gate;
import dev.leasehold.store.jdbc.interleaving.Statements;
import dev.leasehold.store.jdbc.leases.LockedKeys;
import dev.leasehold.store.jdbc.leases.ServerBatch;
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

/** One session behind a gate: as a thread of a store uses it, or as a user does. */
final class OrderedSession implements AutoCloseable {
  private final char name;
  private final Gate gate;
  private final Session session;
  private final Namespace namespace;
  private final Sessions sessions =
      new Sessions() {
        @Override
        public <T> T use(Work<T> work) throws SQLException {
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

  /** Gives the one connection that there is. */
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

  /** As a user's own; none of the store's settings are in its way. */
  Connection connection() {
    return gate.connection();
  }

  /** As a store carries out a batch. */
  List<Settled> apply(List<Command> batch) {
    ServerBatch run = new ServerBatch(batch, Dialect.POSTGRESQL.limits(), attempts(), unwatched());
    boolean unused = run.advance(Set.of());
    return run.end();
  }

  /** As a store carries out a renewal that is alone: one whose row is locked waits for it. */
  List<Settled> renewWaiting(Command.Renew renewal) {
    List<Command> batch = List.of(renewal);
    ServerBatch run = new ServerBatch(batch, Dialect.POSTGRESQL.limits(), attempts(), unwatched());
    boolean unused = run.advance(Set.of()) || run.waitForRenewal();
    return run.end();
  }

  /** As a store tidies a page. */
  <T> T tidy(Work<T> work) throws SQLException {
    return new Housekeeping.Beside(sessions, new Backoff()).run(work);
  }

  /** Changes at effect, in transactions of this session. */
  AtEffect effects(JdbcLeaseStore store, String storeId) {
    Reports reports = new Reports(store.ledger());
    return new AtEffect(
        "notes",
        new RefusalTrail(InstantSource.system()),
        new Effects(
            new Effects.Parts(
                namespace,
                sessions,
                new Sentry(Dialect.POSTGRESQL, storeId, Optional.empty()),
                new Effects.Audit(new Suspicions(reports), reports),
                Ticker.system())));
  }

  /** As a store runs a transaction of its own. */
  <T> T transact(Work<T> work) throws SQLException {
    return attempts().run(s -> s.inBoundedTransaction(work));
  }

  /** Looks nothing up: that would be a session of its own. */
  private static LockedKeys unwatched() {
    return new LockedKeys(key -> CompletableFuture.completedFuture(List.of()), Ticker.system());
  }

  private Attempts attempts() {
    return new Attempts(sessions, new Backoff());
  }

  @Override
  public void close() throws SQLException {
    gate.close();
  }
}
