package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.store.jdbc.RowLocks;
import dev.leasehold.store.jdbc.RowLocks.Repeated;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Transactions that block a command because they lock the row of its key. */
final class Blockers {
  private final LeaseKey key;
  private final List<LockHolder> ended = new ArrayList<>();

  Blockers(LeaseKey key) {
    this.key = key;
  }

  /**
   * The outcome of the command, after the blocking transactions were ended if the caller wants
   * that.
   */
  Outcome endedFor(LeaseStore store, RowLocks locks, Command command) {
    Repeated repeated =
        StoreCalls.await(
            locks.repeat(
                command,
                StoreCalls.send(store, command).toCompletableFuture().join(),
                again -> StoreCalls.send(store, again)));
    ended.addAll(repeated.ended());
    if (!repeated.left().isEmpty()) {
      throw new CommandFailedException(Exit.REFUSED, notAllowed(repeated.left()));
    }
    return StoreCalls.known(command, repeated.outcome());
  }

  private String notAllowed(List<LockHolder> left) {
    return "nothing was revoked: "
        + named(left)
        + ", has the row of "
        + key
        + " locked, and the store's role may not end it. As its own role or a superuser, run"
        + left.stream().map(holder -> " " + holder.endedBy()).collect(Collectors.joining(";"))
        + ", and then this command again"
        + sentence();
  }

  private static String named(List<LockHolder> holders) {
    return holders.stream().map(LockHolder::toString).collect(Collectors.joining("; "));
  }

  /** A sentence about the ended backends, to append to another. */
  String sentence() {
    return ended.isEmpty() ? "" : "; ended for it: " + named(ended);
  }

  void write(JsonOut out) {
    if (!ended.isEmpty()) {
      out.list("ended", ended, (item, one) -> item.number("pid", one.pid()));
    }
  }
}
