package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Remembers the last grants that this process was given. A store that could issue one of their
 * tokens again has lost writes. If the store merely does not know a grant, but will only issue
 * higher tokens, no write was lost: the record was purged or deleted by hand, and its token is
 * below the floor.
 */
final class SeenGrants {
  static final int KEPT = 1_000;

  /** No record is purged earlier than this. */
  private static final long SHORTEST_MEMORY_NANOS =
      Duration.ofMillis(Limits.MIN_MEMORY_MILLIS).toNanos();

  private final Map<LeaseKey, Seen> granted = new LinkedHashMap<>();

  /** Lost grants that the store may still have as current, so that another one may follow them. */
  private final Map<LeaseKey, Token> lost = new LinkedHashMap<>();

  private Optional<String> doubt = Optional.empty();

  /** Why the store must not be used, once it has shown that it lost writes. */
  Optional<String> doubt() {
    return doubt;
  }

  /** The last grant of a key, and whether it came by hand-over. */
  private record Seen(Token token, boolean inherited) {}

  /** Whether this process was given that grant, as far as it remembers. */
  boolean hasSeen(LeaseKey key, Token token) {
    Seen last = granted.get(key);
    return last != null && !token.isAbove(last.token());
  }

  void sawGrant(LeaseKey key, Token token) {
    Seen before = granted.get(key);
    if (before != null && !token.isAbove(before.token())) {
      doubtGrant(key, token, before.token());
      return;
    }
    remember(key, new Seen(token, false));
  }

  /**
   * A process may see the same inherited grant twice: after it has lost the lease, it can ask for
   * the inheritance again.
   */
  void sawInheritance(LeaseKey key, Token token) {
    Seen before = granted.get(key);
    Seen now = new Seen(token, true);
    if (before != null && !now.equals(before) && !token.isAbove(before.token())) {
      doubtGrant(key, token, before.token());
      return;
    }
    remember(key, now);
  }

  private void doubtGrant(LeaseKey key, Token token, Token before) {
    doubt(key, "granted token " + token + " although token " + before + " was granted before");
  }

  private void remember(LeaseKey key, Seen seen) {
    putLast(granted, key, seen);
    lost.remove(key);
  }

  private static <V> void putLast(Map<LeaseKey, V> map, LeaseKey key, V value) {
    map.remove(key);
    map.put(key, value);
    if (map.size() > KEPT) {
      map.remove(map.keySet().iterator().next());
    }
  }

  /** A grant is lost; if it was the last one of this process, another holder may follow it. */
  void sawLoss(LeaseKey key, Token token) {
    Seen last = granted.get(key);
    if (last == null || !last.token().isAbove(token)) {
      putLast(lost, key, token);
    }
  }

  /** The store has ended a grant, so that no other one follows it. */
  void sawEnd(LeaseKey key, Token token) {
    lost.remove(key, token);
  }

  /** The lost grant that this one of another holder has followed; at most once. */
  Optional<Token> followedBy(LeaseKey key, Token other) {
    return Optional.ofNullable(lost.get(key))
        .filter(other::isAbove)
        .filter(token -> lost.remove(key, token));
  }

  /**
   * The store does not know a grant of this process. A server of an earlier version does not report
   * its last token; then a grant that is unknown sooner than it can have been purged counts as
   * lost. The holder measures that time by its own clock, which runs faster than the store's by no
   * more than the margin.
   */
  void sawUnknown(Grant grant, LossReason.Unknown unknown, long sinceTrustEndedNanos) {
    boolean lost =
        unknown
            .last()
            .map(last -> grant.token().isAbove(last))
            .orElse(sinceTrustEndedNanos < SHORTEST_MEMORY_NANOS);
    if (lost) {
      doubt(
          grant.key(),
          "no longer knows token " + grant.token() + ", which it granted to this process");
    }
  }

  /** A grant by its key and token. */
  record Grant(LeaseKey key, Token token) {}

  private void doubt(LeaseKey key, String what) {
    doubt =
        Optional.of(
            "the store "
                + what
                + " for "
                + key
                + ": it has lost writes, by a restored backup or a failover. Advance its"
                + " incarnation above every one in use, then open it again");
  }
}
