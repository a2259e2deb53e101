package dev.leasehold.testkit.time;

/** Something that is to happen, until it is cancelled. */
public interface Cancellable {
  /** From now on it does not happen; nothing changes if it already has. */
  void cancel();
}
