package dev.leasehold.benchmarks.rivals;

/** Locks of one kind, for many callers at once. */
public interface Locks extends AutoCloseable {
  /** Waits for the key, runs this while it is held, and gives the key back. */
  void whileHeld(String key, Runnable work) throws Exception;

  @Override
  void close();
}
