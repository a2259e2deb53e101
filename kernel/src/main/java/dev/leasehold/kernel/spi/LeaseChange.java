package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;

/**
 * A hint that something happened to a key. The token is that of the grant it happened to, or, where
 * there was none, the record's.
 */
public record LeaseChange(Kind kind, LeaseKey key, Token token) {
  /** What happened. */
  public enum Kind {
    GRANTED,
    /** Given back, or reopened: the key can be had. */
    RELEASED,
    /** Found expired by a renewal that came too late. */
    EXPIRED,
    /** Taken away, by an operator or by its stall limit. */
    REVOKED,
    /** Followed by another grant, after expiry or by hand-over. */
    SUPERSEDED
  }

  /** Whether its key starts with the prefix: what a watch of leases is told of. */
  public boolean isUnder(String prefix) {
    return key.text().startsWith(prefix);
  }
}
