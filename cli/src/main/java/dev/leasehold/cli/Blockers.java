package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.RowLocks.Ending;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Transactions that hold a command back, since they have the row of its key locked. */
final class Blockers {
  private final LeaseKey key;
  private final List<LockHolder> ended = new ArrayList<>();

  Blockers(LeaseKey key) {
    this.key = key;
  }

  /** What the command comes to; if it could not be done, once what holds it back was ended. */
  Outcome endedFor(JdbcLeaseStore store, Command command) {
    try {
      return Asking.one(store, command);
    } catch (CommandFailedException e) {
      List<Ending> endings = Asking.await(store.rowLocks().end(key));
      List<LockHolder> left = new ArrayList<>();
      for (Ending ending : endings) {
        switch (ending) {
          case Ending.Ended(LockHolder holder) -> ended.add(holder);
          case Ending.NotAllowed(LockHolder holder) -> left.add(holder);
          case Ending.Gone gone -> {}
        }
      }
      if (!left.isEmpty()) {
        throw new CommandFailedException(Exit.REFUSED, notAllowed(left), e);
      }
      if (endings.isEmpty()) {
        throw e;
      }
      return Asking.one(store, command);
    }
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

  /** To be added to another: which backends were ended. */
  String sentence() {
    return ended.isEmpty() ? "" : "; ended for it: " + named(ended);
  }

  Json addTo(Json json) {
    return ended.isEmpty()
        ? json
        : json.with("ended", ended.stream().map(one -> new Json().with("pid", one.pid())).toList());
  }
}
