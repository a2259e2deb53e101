package dev.leasehold.testkit.suite;

import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.testkit.random.Seed;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every answer of the store, and all that it keeps, is the reference's, through thousands of random
 * steps. {@code -Dleasehold.contract.seeds=N} and {@code -Dleasehold.contract.steps=N} say how
 * many; with {@code -Dleasehold.proof=true} there are many by default. A difference is shrunk in at
 * most {@code -Dleasehold.contract.shrinking=N} attempts.
 */
@Tag("differential")
public abstract class DifferentialContract<U extends UnderTest> extends ContractPart<U> {
  protected static final boolean PROOF = Boolean.getBoolean("leasehold.proof");

  /** The store under test beside its reference. */
  protected abstract Comparison<?> comparison();

  /** How many steps each seed has, unless the property says otherwise. */
  protected int defaultSteps() {
    return PROOF ? 5_000 : 700;
  }

  @Test
  void the_store_answers_and_keeps_as_the_reference_does() {
    int seeds = Integer.getInteger("leasehold.contract.seeds", PROOF ? 200 : 3);
    int steps = Integer.getInteger("leasehold.contract.steps", defaultSteps());
    Seed base = Seed.forTest("differential contract of " + suiteName());
    for (int i = 0; i < seeds; i++) {
      Optional<Difference> difference =
          Differential.firstDifference(comparison(), base.nth(i), steps);
      if (difference.isPresent()) {
        fail("To see it again: %s (number %d from it)%n%s", base, i, difference.get());
      }
    }
  }
}
