package dev.leasehold.testkit.history;

import dev.leasehold.fence.Token;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The current grant of a key, followed along its log. */
final class Tenure {
  private @Nullable LogEntry begun;
  private @Nullable Token token;
  private long expiresAtMillis;
  private boolean lapsed;

  /** The entry that the current grant began with; empty when no grant is current. */
  Optional<LogEntry> begun() {
    return Optional.ofNullable(begun);
  }

  boolean isCurrent(Token candidate) {
    return candidate.equals(token);
  }

  long expiresAtMillis() {
    return expiresAtMillis;
  }

  boolean isLapsed() {
    return lapsed;
  }

  /** Whether the current grant could be renewed at this store time. */
  boolean isRenewable(Token candidate, long storeMillis) {
    return isCurrent(candidate) && !lapsed && storeMillis < expiresAtMillis;
  }

  void apply(LogEntry entry) {
    switch (entry.effect()) {
      case LogEntry.Beginning beginning -> begin(entry, beginning);
      case LogEntry.Renewed renewed -> {
        // What should not have been accepted does not count: its checker reports it, and the others
        // go on as if it had been refused.
        if (isRenewable(renewed.token(), entry.storeMillis())) {
          expiresAtMillis = Math.max(expiresAtMillis, renewed.expiresAtMillis());
        }
      }
      case LogEntry.Lapsed found -> lapsed = lapsed || isCurrent(found.token());
      case LogEntry.Released released -> end(released.token());
      case LogEntry.Abandoned abandoned -> abandoned.released().ifPresent(this::end);
      case LogEntry.Revoked revoked -> revoked.ended().ifPresent(this::end);
      case LogEntry.TakenAway taken -> end(taken.ended());
      case LogEntry.Reopened reopened -> {}
      case LogEntry.Purged purged -> end();
      case LogEntry.IncarnationAdvanced advanced -> end();
    }
  }

  private void begin(LogEntry entry, LogEntry.Beginning beginning) {
    begun = entry;
    token = beginning.token();
    expiresAtMillis = beginning.expiresAtMillis();
    lapsed = false;
  }

  private void end(Token ended) {
    if (isCurrent(ended)) {
      end();
    }
  }

  private void end() {
    begun = null;
    token = null;
  }
}
