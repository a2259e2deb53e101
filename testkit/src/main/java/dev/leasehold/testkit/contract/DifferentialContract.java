package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.fail;

import dev.leasehold.testkit.random.Seed;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every answer and every record of the store is the model's, through thousands of random steps.
 * {@code -Dleasehold.contract.seeds=N} and {@code -Dleasehold.contract.steps=N} say how many; with
 * {@code -Dleasehold.proof=true} there are many by default. A difference is shrunk in at most
 * {@code -Dleasehold.contract.shrinking=N} attempts.
 */
@Tag("differential")
abstract class DifferentialContract {
  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");

  protected abstract StoreUnderTest open(long startMillis);

  /** Whose contract it is, for the line that tells the seed. */
  protected abstract String storeName();

  @Test
  void the_store_answers_and_records_as_the_model_does() {
    int seeds = Integer.getInteger("leasehold.contract.seeds", PROOF ? 200 : 3);
    int steps = Integer.getInteger("leasehold.contract.steps", PROOF ? 5_000 : 700);
    Seed base = Seed.forTest("differential contract of " + storeName());
    for (int i = 0; i < seeds; i++) {
      Optional<Difference> difference =
          Differential.firstDifference(this::open, base.nth(i), steps);
      if (difference.isPresent()) {
        fail("To see it again: %s (number %d from it)%n%s", base, i, difference.get());
      }
    }
  }
}
