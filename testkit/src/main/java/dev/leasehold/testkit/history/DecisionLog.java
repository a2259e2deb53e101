package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;

/** The log of a store that decides by the kernel's own rules. */
public final class DecisionLog {
  private DecisionLog() {}

  /** What a decision writes; empty if it leaves the record alone. */
  public static Optional<LogEntry.Effect> effectOf(Command command, Decision decision) {
    return switch (decision.effect()) {
      case Decision.Unchanged unchanged -> Optional.empty();
      case Decision.Delete delete -> Optional.of(new LogEntry.Purged(delete.floor()));
      case Decision.Put put -> Optional.of(written(command, decision.outcome(), put));
    };
  }

  private static LogEntry.Effect written(Command command, Outcome outcome, Decision.Put put) {
    return switch (command) {
      case Command.Acquire c ->
          outcome instanceof Outcome.Granted granted
              ? new LogEntry.Granted(
                  granted.grant().token(), request(put), granted.grant().expiresAtMillis())
              : new LogEntry.Lapsed(latest(put).token());
      case Command.Renew c ->
          outcome instanceof Outcome.Renewed
              ? new LogEntry.Renewed(c.token(), latest(put).expiresAtMillis())
              : new LogEntry.Lapsed(c.token());
      case Command.Abandon c -> new LogEntry.Abandoned(ended(put), request(put));
      case Command.Release c -> new LogEntry.Released(c.token(), request(put));
      case Command.HandOver c -> {
        Grant heirs = latest(put);
        yield new LogEntry.HandedOver(
            c.token(), heirs.token(), heirs.instanceId(), request(put), heirs.expiresAtMillis());
      }
      case Command.Revoke c -> new LogEntry.Revoked(put.record().last(), ended(put), request(put));
      case Command.Reopen c -> new LogEntry.Reopened(request(put));
      case Command.EndStalled c -> new LogEntry.TakenAway(c.token(), put.record().last());
      case Command.EndExpired c -> new LogEntry.TakenAway(c.token(), put.record().last());
      case Command.Purge c -> throw new IllegalStateException("a purge writes no record");
    };
  }

  private static Remembered.Request request(Decision.Put put) {
    return put.remembered().orElseThrow().request();
  }

  private static Grant latest(Decision.Put put) {
    return put.record().grant().orElseThrow();
  }

  /** The grant that abandoning or revoking has ended; there may have been none. */
  private static Optional<Token> ended(Decision.Put put) {
    return put.record()
        .grant()
        .filter(grant -> put.changes().stream().anyMatch(c -> c.token().equals(grant.token())))
        .map(Grant::token);
  }
}
