package dev.leasehold.kernel.audit;

/**
 * One finding of the audit.
 *
 * @param about the subject: a kind, a target of a kind, a table or a key
 * @param what one sentence
 * @param remedy what the operator or developer can do about it
 */
public record Finding(Rule rule, Severity severity, String about, String what, String remedy) {
  /** Whether the finding should stop a deployment. */
  public enum Severity {
    /** An old holder's write may land, or a stuck holder would stay unnoticed. */
    HOLE,
    /** Worth knowing. */
    NOTE
  }

  /** What the audit looks for. */
  public enum Rule {
    /** A target does not check tokens. */
    UNCHECKED_TARGET,
    /**
     * A target is asked before the change, so a holder that pauses after asking can still write.
     */
    ADVISED_TARGET,
    /** A target's mark stops old holders only once a holder has raised it, and none has. */
    NEVER_SEALED,
    /** The last successor could not seal the target. */
    UNSEALED,
    /**
     * Without a stall limit, renewal proves only that the process lives, not that its work moves.
     */
    NO_STALL_LIMIT,
    /** There are leases of a kind without a charter. */
    NO_CHARTER,
    /** The charter does not say what the holder changes. */
    NO_TARGETS,
    /** Two processes apply different charters to one kind. */
    CONTRADICTING_CHARTERS,
    /** A charter has replaced another. */
    REPLACED_CHARTER,
    /** A table with a token column that code can forget to check. */
    UNGUARDED_TABLE,
    /** A charter relies on the guard of a table, but the table has none. */
    MISSING_GUARD,
    /** A guard has a gap, or a database user could open one. */
    GUARD_NOT_WHOLE,
    /** A caller brought a token that the store has no record of having issued. */
    SUSPECTED_ROLLBACK
  }
}
