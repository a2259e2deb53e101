package dev.leasehold.testkit.suite;

/**
 * The contract of a block or store. An implementation passes it by subclassing it once and saying
 * how a fresh one is opened; the cases are nested classes that extend a {@link ContractPart}.
 */
public abstract class ContractSuite<U extends UnderTest> {
  /** Opens a fresh, empty store whose clock shows this time and stands still. */
  protected abstract U open(long startMillis);
}
