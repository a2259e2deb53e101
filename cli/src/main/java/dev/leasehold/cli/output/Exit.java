package dev.leasehold.cli.output;

/** The exit codes. Scripts rely on the numbers. */
public enum Exit {
  DONE(0),
  /** A defect of this program. */
  UNEXPECTED(1),
  USAGE(2),
  /** Held by another, or closed for a while. */
  NOT_ACQUIRED(3),
  /** The grant is not, or no longer, the caller's. */
  LOST(4),
  UNREACHABLE(5),
  /** Not allowed, closed by an operator, or the store is unsafe to use. */
  REFUSED(6),
  /** An audit or a doctor has found a problem. */
  HOLES(7),
  /** The usual code in shells for an interrupted process. */
  INTERRUPTED(130);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
