package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.RowLocks.Ending;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An operator who revokes a key at once does not wait for a transaction that has its row locked:
 * the server ends it, where the store's role may, and sends the command again.
 */
public final class RowUnlocking {
  private static final System.Logger LOG = System.getLogger(RowUnlocking.class.getName());

  private final Function<LeaseKey, CompletionStage<List<Ending>>> locks;

  RowUnlocking(Function<LeaseKey, CompletionStage<List<Ending>>> locks) {
    this.locks = locks;
  }

  /** Where the store tells of locked rows, and nothing elsewhere. */
  public static RowUnlocking on(LeaseStore store) {
    return store instanceof JdbcLeaseStore jdbc ? new RowUnlocking(jdbc.rowLocks()::end) : none();
  }

  static RowUnlocking none() {
    return new RowUnlocking(key -> CompletableFuture.completedFuture(List.of()));
  }

  /** A revocation that opens its key at once, and that the store could not carry out. */
  static boolean isFor(Command command, Outcome outcome) {
    return command instanceof Command.Revoke revoke
        && revoke.reopening() == Reopening.NOW
        && outcome instanceof Outcome.Failed failed
        && failed.certainty() == Certainty.NOT_APPLIED;
  }

  /** What comes of such a revocation once what has its row locked was ended. */
  CompletionStage<Outcome> after(
      Command revoke, Outcome outcome, Function<Command, CompletionStage<Outcome>> again) {
    return locks
        .apply(revoke.key())
        .thenCompose(
            endings -> {
              endings.forEach(ending -> log(revoke.key(), ending));
              List<LockHolder> left =
                  endings.stream()
                      .filter(Ending.NotAllowed.class::isInstance)
                      .map(Ending::holder)
                      .toList();
              if (!left.isEmpty()) {
                return CompletableFuture.completedFuture(lockedBy(revoke.key(), left));
              }
              return endings.isEmpty()
                  ? CompletableFuture.completedFuture(outcome)
                  : again.apply(revoke);
            });
  }

  private static void log(LeaseKey key, Ending ending) {
    switch (ending) {
      case Ending.Ended(LockHolder holder) ->
          LOG.log(
              Level.WARNING,
              "ended {0}, which had the row of {1} locked, since {1} was revoked at once",
              holder,
              key);
      case Ending.NotAllowed(LockHolder holder) ->
          LOG.log(
              Level.WARNING,
              "{0} has the row of {1} locked, and the store''s role may not end it",
              holder,
              key);
      case Ending.Gone gone -> {}
    }
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
}
