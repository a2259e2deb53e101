package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.batches.LockHolders;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Transactions that have rows of leases locked: a command that ends a grant waits for them. A store
 * has this part if its database reports lock holders.
 */
public final class RowLocks {
  private static final String NO_PRIVILEGE = "42501";

  private final Engine engine;

  RowLocks(Engine engine) {
    this.engine = engine;
  }

  /** The result of an attempt to end a backend. */
  public sealed interface Ending {
    LockHolder holder();

    /** The server was told to end the backend, and rolls its transaction back. */
    record Ended(LockHolder holder) implements Ending {}

    /** The backend has released the row by itself. */
    record Gone(LockHolder holder) implements Ending {}

    /**
     * The store's role may not end it: only the backend's own role or a superuser may, or the
     * transaction is prepared.
     */
    record NotAllowed(LockHolder holder) implements Ending {}
  }

  /**
   * Transactions that have been open for at least this time, and those whose age the store's role
   * may not see; the oldest first.
   */
  public CompletionStage<List<LockHolder>> longerThan(Duration atLeast) {
    return engine.read(
        connection -> LockHolders.find(connection, "long-lock-holders", atLeast.toMillis()));
  }

  /** Ends every backend that has the row of this key locked now, as far as the store's role may. */
  public CompletionStage<List<Ending>> end(LeaseKey key) {
    return engine
        .read(
            connection -> LockHolders.find(connection, "lock-holders", Buckets.of(key), key.text()))
        .thenCompose(
            holders -> {
              CompletionStage<List<Ending>> all =
                  CompletableFuture.completedFuture(new ArrayList<>());
              for (LockHolder holder : holders) {
                all =
                    all.thenCombine(
                        engine.read(connection -> end(connection, key, holder)),
                        (endings, one) -> {
                          endings.add(one);
                          return endings;
                        });
              }
              return all;
            });
  }

  /**
   * The result of a repeated command.
   *
   * @param ended transactions that were ended for it
   * @param left transactions that the store's role may not end; then the command was not sent again
   */
  public record Repeated(Outcome outcome, List<LockHolder> ended, List<LockHolder> left) {
    public Repeated {
      ended = List.copyOf(ended);
      left = List.copyOf(left);
    }
  }

  /**
   * For an operator's command that the store could not carry out: ends the transactions that have
   * the row of its key locked, and sends the command again if there were any. Any other outcome is
   * returned unchanged.
   */
  public CompletionStage<Repeated> repeat(
      Command command, Outcome first, Function<Command, CompletionStage<Outcome>> send) {
    if (!(first instanceof Outcome.Failed failed) || failed.certainty() != Certainty.NOT_APPLIED) {
      return CompletableFuture.completedFuture(new Repeated(first, List.of(), List.of()));
    }
    return end(command.key())
        .thenCompose(
            endings -> {
              List<LockHolder> ended = holders(endings, Ending.Ended.class);
              List<LockHolder> left = holders(endings, Ending.NotAllowed.class);
              CompletionStage<Outcome> last =
                  endings.isEmpty()
                      ? CompletableFuture.completedFuture(first)
                      : left.isEmpty()
                          ? send.apply(command)
                          : CompletableFuture.completedFuture(lockedBy(command.key(), left));
              return last.thenApply(outcome -> new Repeated(outcome, ended, left));
            });
  }

  private static List<LockHolder> holders(List<Ending> endings, Class<? extends Ending> type) {
    return endings.stream().filter(type::isInstance).map(Ending::holder).toList();
  }

  private static Outcome lockedBy(LeaseKey key, List<LockHolder> left) {
    return new Outcome.Failed(
        Certainty.NOT_APPLIED,
        "the row of "
            + key
            + " is locked, and the store's role may not end what has it locked; as its own role or"
            + " a superuser, run "
            + left.stream().map(LockHolder::endedBy).collect(Collectors.joining("; ")));
  }

  private static Ending end(StoreConnection connection, LeaseKey key, LockHolder holder)
      throws SQLException {
    if (holder.isPrepared()) {
      return new Ending.NotAllowed(holder);
    }
    try {
      boolean signalled =
          connection.query(
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
