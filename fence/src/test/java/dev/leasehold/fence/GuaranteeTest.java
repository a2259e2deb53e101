package dev.leasehold.fence;

import static dev.leasehold.fence.Guarantee.Atomicity.ADVICE;
import static dev.leasehold.fence.Guarantee.Atomicity.WITH_CHANGE;
import static dev.leasehold.fence.Guarantee.Durability.DURABLE;
import static dev.leasehold.fence.Guarantee.Durability.PROCESS;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GuaranteeTest {
  @Test
  void adviceHoldsForNothingHoweverLongItsMarkLasts() {
    assertThat(new Guarantee(DURABLE, ADVICE).holdsFor(PROCESS)).isFalse();
    assertThat(new Guarantee(DURABLE, ADVICE).holdsFor(DURABLE)).isFalse();
  }

  @Test
  void aMarkMustLastAtLeastAsLongAsItsTarget() {
    assertThat(new Guarantee(PROCESS, WITH_CHANGE).holdsFor(PROCESS)).isTrue();
    assertThat(new Guarantee(PROCESS, WITH_CHANGE).holdsFor(DURABLE)).isFalse();
    assertThat(new Guarantee(DURABLE, WITH_CHANGE).holdsFor(PROCESS)).isTrue();
    assertThat(new Guarantee(DURABLE, WITH_CHANGE).holdsFor(DURABLE)).isTrue();
  }
}
