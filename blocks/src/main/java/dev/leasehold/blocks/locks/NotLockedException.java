package dev.leasehold.blocks.locks;

/** Code that must run under a lock was called without it. */
public final class NotLockedException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  NotLockedException(String kind, String name) {
    super(
        "this thread runs no work under "
            + kind
            + "/"
            + name
            + ": call it within run(...), or hand the lease down and ask that");
  }
}
