package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.Lane;
import dev.leasehold.store.jdbc.batches.Transactions;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
import dev.leasehold.store.jdbc.health.Sentry;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * PostgreSQL and CockroachDB: many writers. Commands share a few connections of a pool; renewals
 * have one of their own, that nothing else can keep waiting.
 */
public final class ServerEngine implements LeaseEngine {
  /** As many batches as a process has on their way. */
  private static final int COMMAND_THREADS = 4;

  private static final int READ_THREADS = 2;

  /** Batches of writes by blocks: whoever waits there for a row keeps no lease waiting. */
  private static final int CHANGE_THREADS = 2;

  /** For whatever must work on a store that has gone back, too. */
  private final Sessions pooled;

  private final Sessions commanding;
  private final Sessions renewing;
  private final Backoff backoff = new Backoff();
  private final Limits limits;
  private final Lane commands = new Lane("commands", COMMAND_THREADS);
  private final Lane renewals = new Lane("renewals", 1);
  private final Lane reads = new Lane("reads", READ_THREADS);
  private final Lane changes = new Lane("changes", CHANGE_THREADS);
  private final LockedKeys lockedKeys;
  private final Parking parking;
  private final WaitingRenewals waitingRenewals = new WaitingRenewals();

  /** Renewals may come from the same pool; one of its connections is then kept. */
  public ServerEngine(Connector pool, Connector ofRenewals, Limits limits, Sentry sentry) {
    this.pooled = new Sessions.Pooled(pool);
    this.commanding = sentry.guard(pooled);
    this.renewing = sentry.guard(new Sessions.Kept(ofRenewals));
    this.limits = limits;
    this.lockedKeys =
        new LockedKeys(key -> read(session -> LockHolders.of(session, key)), Ticker.system());
    this.parking = new Parking(commands, () -> new Attempts(commanding, backoff));
    // Had before the first renewal is due, while a shared pool still has one.
    var unused = renewals.submit(() -> renewing.use(session -> true));
  }

  @Override
  public CompletionStage<List<Settled>> apply(List<Command> batch) {
    boolean renewsOnly = batch.stream().allMatch(Command.Renew.class::isInstance);
    Lane lane = renewsOnly ? renewals : commands;
    Attempts attempts = new Attempts(renewsOnly ? renewing : commanding, backoff);
    ServerBatch run = new ServerBatch(batch, limits, attempts, lockedKeys);
    return lane.submit(() -> run.advance(Set.of()))
        .thenCompose(
            settled -> {
              if (settled) {
                return CompletableFuture.completedFuture(run.end());
              }
              return renewsOnly
                  ? waitingRenewals.await(batch.getFirst().key(), run.on(commanding))
                  : parking.park(run);
            });
  }

  @Override
  public <T> CompletionStage<T> read(Work<T> work) {
    return reads.submit(
        () ->
            new Attempts(pooled, backoff)
                .run(
                    session -> {
                      session.autoCommit(true);
                      return work.run(session);
                    }));
  }

  @Override
  public <T> CompletionStage<T> transact(Work<T> work) {
    return commands.submit(
        () -> new Attempts(pooled, backoff).run(session -> session.inBoundedTransaction(work)));
  }

  @Override
  public <T> CompletionStage<T> change(Changing<T> changing) {
    Attempts attempts = new Attempts(commanding, backoff);
    Transactions transactions =
        new Transactions() {
          @Override
          public <R> R run(Work<R> work) throws SQLException {
            return attempts.run(session -> session.inTransaction(work));
          }

          @Override
          public <R> R runStatement(Work<R> work) throws SQLException {
            return attempts.run(
                session -> {
                  session.autoCommit(true);
                  return work.run(session);
                });
          }

          @Override
          public boolean wasCutOff() {
            return attempts.wasCutOff();
          }
        };
    return changes.submit(() -> changing.in(transactions));
  }

  @Override
  public void lockOutWriters(Session session) throws SQLException {
    session.update("lock-out-writers");
  }

  @Override
  public long restarts() {
    return backoff.restarts();
  }

  @Override
  public void close() {
    parking.close();
    commands.close();
    renewals.close();
    reads.close();
    changes.close();
    waitingRenewals.close();
    renewing.close();
  }
}
