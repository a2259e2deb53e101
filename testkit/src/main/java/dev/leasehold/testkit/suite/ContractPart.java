package dev.leasehold.testkit.suite;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestInstances;

/** A part of a contract, which opens its stores as the suite does that it is nested in. */
@ExtendWith(ContractPart.Nesting.class)
public abstract class ContractPart<U extends UnderTest> {
  private @Nullable ContractSuite<?> suite;

  /** Opens a fresh, empty store whose clock shows this time and stands still. */
  @SuppressWarnings("unchecked") // a suite nests parts of its own type only
  protected U open(long startMillis) {
    return (U) suite().open(startMillis);
  }

  /** The name of the class that subclassed the suite. */
  protected final String suiteName() {
    return suite().getClass().getSimpleName();
  }

  private ContractSuite<?> suite() {
    return Objects.requireNonNull(suite, "a part of a contract is nested in its suite");
  }

  /** Tells each part which suite it is nested in. */
  static final class Nesting implements BeforeEachCallback {
    @Override
    public void beforeEach(ExtensionContext context) {
      TestInstances instances = context.getRequiredTestInstances();
      ContractPart<?> part = instances.findInstance(ContractPart.class).orElseThrow();
      part.suite = instances.findInstance(ContractSuite.class).orElseThrow();
    }
  }
}
