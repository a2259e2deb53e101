package dev.leasehold.blocks.leader;

/** The role of a replica in an election, for people. Decide what to do under a {@link Term}. */
public enum Role {
  /** Not a candidate for a moment: its attempt failed, or it has just stepped down. */
  STANDBY,
  /** Waits for the lease. */
  CANDIDATE,
  /** Has a term. */
  LEADER,
  /** Its term ends or is over, but its work still runs or the store has not yet answered. */
  STEPPING_DOWN,
  /** Will not be a candidate again. */
  CLOSED
}
