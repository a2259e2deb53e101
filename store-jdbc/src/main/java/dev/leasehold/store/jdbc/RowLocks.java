package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.leases.LockHolders;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Transactions that have rows of leases locked, and thereby hold back whatever ends a grant. Only
 * PostgreSQL tells; elsewhere there are none to be seen.
 */
public final class RowLocks {
  private static final String NO_PRIVILEGE = "42501";

  private final Dialect dialect;
  private final Engine engine;

  RowLocks(Dialect dialect, Engine engine) {
    this.dialect = dialect;
    this.engine = engine;
  }

  /**
   * Whether this database tells who has rows locked; where it does not, an empty list is no news.
   */
  public boolean areTold() {
    return dialect == Dialect.POSTGRESQL;
  }

  /** What became of the attempt to end a backend. */
  public sealed interface Ending {
    LockHolder holder();

    /** The server was told to end it, and rolls its transaction back. */
    record Ended(LockHolder holder) implements Ending {}

    /** It has let the row go by itself. */
    record Gone(LockHolder holder) implements Ending {}

    /** Not the store's to end: that takes its own role, or a superuser; or it is prepared. */
    record NotAllowed(LockHolder holder) implements Ending {}
  }

  /**
   * Those whose transaction has been open for at least so long, or whose age the store's role may
   * not see; the oldest first.
   */
  public CompletionStage<List<LockHolder>> longerThan(Duration atLeast) {
    return engine.read(
        session -> session.query(LockHolders::readAll, "long-lock-holders", atLeast.toMillis()));
  }

  /** Ends every backend that has the row of this key locked now, where the store's role may. */
  public CompletionStage<List<Ending>> end(LeaseKey key) {
    return engine
        .read(session -> LockHolders.of(session, key))
        .thenCompose(
            holders -> {
              CompletionStage<List<Ending>> all =
                  CompletableFuture.completedFuture(new ArrayList<>());
              for (LockHolder holder : holders) {
                all =
                    all.thenCombine(
                        engine.read(session -> end(session, key, holder)),
                        (endings, one) -> {
                          endings.add(one);
                          return endings;
                        });
              }
              return all;
            });
  }

  private static Ending end(Session session, LeaseKey key, LockHolder holder) throws SQLException {
    if (holder.isPrepared()) {
      return new Ending.NotAllowed(holder);
    }
    try {
      boolean signalled =
          session.query(
              rows -> rows.next() && rows.getBoolean(1),
              "end-lock-holder",
              Buckets.of(key),
              key.text(),
              holder.pid());
      return signalled ? new Ending.Ended(holder) : new Ending.Gone(holder);
    } catch (SQLException e) {
      if (NO_PRIVILEGE.equals(e.getSQLState())) {
        return new Ending.NotAllowed(holder);
      }
      throw e;
    }
  }
}
