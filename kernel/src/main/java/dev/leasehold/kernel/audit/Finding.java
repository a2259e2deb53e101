package dev.leasehold.kernel.audit;

/**
 * One thing that the audit has found.
 *
 * @param about what it was found at: a kind, a target of a kind, a table or a key
 * @param what one sentence
 * @param remedy what to do about it
 */
public record Finding(Rule rule, Severity severity, String about, String what, String remedy) {
  /** Whether a deployment should stop on it. */
  public enum Severity {
    /** An old holder's write may land, or nobody would notice that a holder is stuck. */
    HOLE,
    /** Worth knowing. */
    NOTE
  }

  /** What is looked for. */
  public enum Rule {
    /** A target checks nothing. */
    UNCHECKED_TARGET,
    /** A target is asked beforehand, and the pause after that is open. */
    ADVISED_TARGET,
    /** A mark that stops old holders only once it is raised, and that nobody has raised. */
    NEVER_SEALED,
    /** The last successor could not seal it. */
    UNSEALED,
    /** Renewal proves a pulse, and not that the work moves. */
    NO_STALL_LIMIT,
    /** Leases that nobody has written a charter for. */
    NO_CHARTER,
    /** Nobody has said what the holder changes. */
    NO_TARGETS,
    /** Two processes go by different charters. */
    CONTRADICTING_CHARTERS,
    /** A charter has taken the place of another. */
    REPLACED_CHARTER,
    /** A table with a token column that code can forget to check. */
    UNGUARDED_TABLE,
    /** A charter relies on the guard of a table, and there is none. */
    MISSING_GUARD,
    /** A guard that lets something through, or that somebody may open. */
    GUARD_NOT_WHOLE,
    /** Somebody knows of tokens that the store does not. */
    SUSPECTED_ROLLBACK
  }
}
