package dev.leasehold.cli;

/** What a process ends with. Scripts rely on the numbers. */
enum Exit {
  DONE(0),
  /** A defect of this program. */
  UNEXPECTED(1),
  USAGE(2),
  /** Held by another, or closed for a while. */
  NOT_ACQUIRED(3),
  /** Lost or stale: the grant is not, or no longer, the caller's. */
  LOST(4),
  UNREACHABLE(5),
  /** Not allowed, closed by an operator, or the store is unsafe to use. */
  REFUSED(6),
  /** An audit or a doctor has found holes. */
  HOLES(7),
  /** As shells count it for an interrupted process. */
  INTERRUPTED(130);

  private final int code;

  Exit(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
