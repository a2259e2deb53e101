package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;

/**
 * A hint that something happened to a key. The token is that of the grant that changed or, if there
 * was none, that of the record.
 */
public record LeaseChange(Kind kind, LeaseKey key, Token token) {
  /** What happened. */
  public enum Kind {
    GRANTED,
    /** The holder gave the key back, or an operator reopened it: it can be acquired. */
    RELEASED,
    /** A renewal that came too late found the grant expired. */
    EXPIRED,
    /** An operator or the stall limit ended the grant. */
    REVOKED,
    /** Another grant followed, after expiry or by hand-over. */
    SUPERSEDED
  }

  /** Whether its key starts with the prefix. A watch of leases receives such changes. */
  public boolean isUnder(String prefix) {
    return key.text().startsWith(prefix);
  }
}
