package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/**
 * PostgreSQL and CockroachDB: many writers. Commands share a few connections of a pool. Renewals
 * have a connection of their own, so that no other command can delay them.
 */
public final class ServerEngine implements Engine {
  /** The maximum number of batches in flight from one process. */
  private static final int COMMAND_THREADS = 4;

  private static final int READ_THREADS = 2;

  /** Batches of writes by blocks: one that waits there for a row delays no lease. */
  private static final int CHANGE_THREADS = 2;

  /** For work that must succeed even if the store has gone back. */
  private final ConnectionSource pooled;

  private final ConnectionSource commanding;
  private final ConnectionSource renewing;
  private final Backoff backoff = new Backoff();
  private final Lane commands = new Lane("commands", COMMAND_THREADS);
  private final Lane renewals = new Lane("renewals", 1);
  private final Lane reads = new Lane("reads", READ_THREADS);
  private final Lane changes = new Lane("changes", CHANGE_THREADS);
  private final List<Waits<?, ?, ?>> waits = new CopyOnWriteArrayList<>();

  /**
   * Renewals may use the same pool; one of its connections is then reserved for them.
   *
   * @param guard keeps commands from a store that has gone back
   */
  public ServerEngine(Connector pool, Connector ofRenewals, UnaryOperator<ConnectionSource> guard) {
    this.pooled = new ConnectionSource.Pooled(pool);
    this.commanding = guard.apply(pooled);
    this.renewing = guard.apply(new ConnectionSource.Kept(ofRenewals));
    // Opened before the first renewal is due, while a shared pool still has a free connection.
    var unused = renewals.submit(() -> renewing.use(connection -> true));
  }

  /** Where commands of one table wait for locked rows. */
  private record Waits<K, C, S>(
      LockedPlaces<K> lockedPlaces,
      ParkedBatches<K, C, S> parkedBatches,
      WaitingUrgent<K, C, S> urgent) {
    void close() {
      parkedBatches.close();
      urgent.close();
    }
  }

  @Override
  public <K, C, S> Batches<C, S> open(Table<K, C, S> table) {
    Lane lane = table.keepsLeases() ? commands : changes;
    Waits<K, C, S> waiting =
        new Waits<>(
            new LockedPlaces<>(place -> lockHolders(table, place), Ticker.system()),
            new ParkedBatches<>(table, lane, () -> new Attempts(commanding, backoff)),
            new WaitingUrgent<>());
    waits.add(waiting);
    return batch -> apply(table, lane, waiting, batch);
  }

  private <K> CompletionStage<List<LockHolder>> lockHolders(Table<K, ?, ?> table, K place) {
    return read(
        connection ->
            connection.dialect().tellsLockHolders()
                ? table.lockHolders(connection, place)
                : List.of());
  }

  private <K, C, S> CompletionStage<List<S>> apply(
      Table<K, C, S> table, Lane usual, Waits<K, C, S> waiting, List<C> batch) {
    boolean urgent = batch.stream().allMatch(table::isUrgent);
    Attempts attempts = new Attempts(urgent ? renewing : commanding, backoff);
    TableBatch<K, C, S> run = table.begin(batch, attempts, waiting.lockedPlaces());
    return (urgent ? renewals : usual)
        .submit(() -> run.advance(Set.of()))
        .thenCompose(
            settled -> {
              if (settled) {
                return CompletableFuture.completedFuture(run.end());
              }
              return urgent
                  ? waiting.urgent().await(table.place(batch.getFirst()), run.on(commanding))
                  : waiting.parkedBatches().park(run);
            });
  }

  @Override
  public <T> CompletionStage<T> read(ConnectionWork<T> work) {
    return reads.submit(
        () ->
            new Attempts(pooled, backoff)
                .run(
                    connection -> {
                      connection.autoCommit(true);
                      return work.run(connection);
                    }));
  }

  @Override
  public <T> CompletionStage<T> transact(ConnectionWork<T> work) {
    return commands.submit(
        () ->
            new Attempts(pooled, backoff).run(connection -> connection.inBoundedTransaction(work)));
  }

  @Override
  public <T> CompletionStage<T> change(Changing<T> changing) {
    Attempts attempts = new Attempts(commanding, backoff);
    Transactions transactions =
        new Transactions() {
          @Override
          public <R> R run(ConnectionWork<R> work) throws SQLException {
            return attempts.run(connection -> connection.inTransaction(work));
          }

          @Override
          public <R> R runBounded(ConnectionWork<R> work) throws SQLException {
            return attempts.run(connection -> connection.inBoundedTransaction(work));
          }
        };
    return changes.submit(() -> changing.in(transactions));
  }

  @Override
  public void lockOutWriters(StoreConnection connection) throws SQLException {
    connection.update("lock-out-writers");
  }

  @Override
  public long restarts() {
    return backoff.restarts();
  }

  @Override
  public void close() {
    waits.forEach(Waits::close);
    commands.close();
    renewals.close();
    reads.close();
    changes.close();
    renewing.close();
  }
}
