package dev.leasehold.blocks.rows.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;

/**
 * The grant that a process keeps for all rows it works on: its session. A later grant of the same
 * key is another session.
 */
public record SessionGrant(LeaseKey key, Token token) {
  /** The kind of lease that sessions are. */
  public static final String KIND = "session";

  public SessionGrant {
    if (!key.kind().equals(KIND)) {
      throw new IllFormedException("a session is a lease of the kind '" + KIND + "', not " + key);
    }
  }
}
