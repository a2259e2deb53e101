package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.RowLocks;
import dev.leasehold.store.jdbc.RowLocks.Repeated;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * An operator who revokes a key at once does not wait for a transaction that locks its row: the
 * server ends the transaction, if the store's role may, and sends the command again.
 */
public final class RowUnlocking {
  private static final System.Logger LOG = System.getLogger(RowUnlocking.class.getName());

  private final Optional<RowLocks> locks;

  private RowUnlocking(Optional<RowLocks> locks) {
    this.locks = locks;
  }

  /** Ends nothing if the store does not report row locks. */
  public static RowUnlocking on(Store store) {
    return new RowUnlocking(store.part(RowLocks.class));
  }

  static RowUnlocking none() {
    return new RowUnlocking(Optional.empty());
  }

  /** A revocation that reopens its key at once, and that the store could not apply. */
  static boolean isFor(Command command, Outcome outcome) {
    return command instanceof Command.Revoke revoke
        && revoke.reopening() == Reopening.NOW
        && outcome instanceof Outcome.Failed failed
        && failed.certainty() == Certainty.NOT_APPLIED;
  }

  /**
   * The outcome of the repeated revocation, after the transactions that lock its row were ended.
   */
  CompletionStage<Outcome> after(
      Command revoke, Outcome outcome, Function<Command, CompletionStage<Outcome>> again) {
    return locks
        .map(
            known ->
                known
                    .repeat(revoke, outcome, again)
                    .thenApply(
                        repeated -> {
                          log(revoke.key(), repeated);
                          return repeated.outcome();
                        }))
        .orElseGet(() -> CompletableFuture.completedStage(outcome));
  }

  private static void log(LeaseKey key, Repeated repeated) {
    repeated
        .ended()
        .forEach(
            holder ->
                LOG.log(
                    Level.WARNING,
                    "ended {0}, which had the row of {1} locked, since {1} was revoked at once",
                    holder,
                    key));
    repeated
        .left()
        .forEach(
            holder ->
                LOG.log(
                    Level.WARNING,
                    "{0} has the row of {1} locked, and the store''s role may not end it",
                    holder,
                    key));
  }
}
