package dev.leasehold.testkit.suite;

/**
 * What a suite tests: opened fresh and empty, by a clock that the test sets. A block's own
 * interface or record adds its ports to it, and a second handle on the same data.
 */
public interface UnderTest extends AutoCloseable {
  /**
   * Sets what the store's clock shows, forward or back; it stands still until set again. Commands
   * may be in flight meanwhile.
   */
  void setClock(long epochMillis);

  /** Closes the store and removes what it kept. */
  @Override
  void close();
}
