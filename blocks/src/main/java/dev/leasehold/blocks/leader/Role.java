package dev.leasehold.blocks.leader;

/**
 * Where a replica stands in an election. For people: what to do is decided under a {@link Term}.
 */
public enum Role {
  /** Not a candidate for a moment: it failed to get the lease, or has just stepped down. */
  STANDBY,
  /** Waits for the lease. */
  CANDIDATE,
  /** Has a term. */
  LEADER,
  /** Its term ends or is over, but not yet all that ran under it; or the store was not yet told. */
  STEPPING_DOWN,
  /** Will not be a candidate again. */
  CLOSED
}
