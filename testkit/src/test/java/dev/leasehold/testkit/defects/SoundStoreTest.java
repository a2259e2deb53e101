package dev.leasehold.testkit.defects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.testkit.contract.LeaseDifferential;
import dev.leasehold.testkit.random.Seed;
import org.junit.jupiter.api.Test;

/** The control of the planted defects: where they fail, a store without one passes. */
class SoundStoreTest {
  private static final Seed SEED = new Seed(2_026);
  private static final int SEEDS = 20;
  private static final int STEPS = 300;

  @Test
  void a_sound_store_passes_through_the_harness_of_the_defects() {
    SuiteRun suite = SuiteRun.on(Defects.NONE);
    assertThat(suite.failed()).isEmpty();
    assertThat(suite.tests()).isGreaterThan(100);
    for (int i = 0; i < SEEDS; i++) {
      assertThat(LeaseDifferential.firstDifference(Defects.NONE::open, SEED.nth(i), STEPS))
          .isEmpty();
    }
  }
}
