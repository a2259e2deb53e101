package dev.leasehold.blocks.rows.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import org.junit.jupiter.api.Test;

class WorkerTest {
  @Test
  void a_worker_is_the_first_63_bits_of_its_instance_id() {
    assertThat(Worker.of(new InstanceId("f".repeat(64))).number()).isEqualTo(Long.MAX_VALUE);
    assertThat(Worker.of(new InstanceId("0".repeat(64))).number()).isZero();
    assertThat(Worker.of(new InstanceId("0000000000000006" + "f".repeat(48))).number())
        .isEqualTo(3);
  }

  @Test
  void values_out_of_range_are_refused_with_the_range() {
    assertThatExceptionOfType(IllFormedException.class).isThrownBy(() -> new Worker(-1));
    assertThatExceptionOfType(IllFormedException.class).isThrownBy(() -> new Anchor(0));
    Token token = Token.of(1, 1);
    assertThatExceptionOfType(IllFormedException.class)
        .isThrownBy(() -> new RowHold(token, new Anchor(1), new Worker(1), "", 0))
        .withMessage("a row is held for 1 to 86400000 ms, not for 0");
    assertThatExceptionOfType(IllFormedException.class)
        .isThrownBy(() -> new SessionGrant(new LeaseKey("lock/a"), token))
        .withMessage("a session is a lease of the kind 'session', not lock/a");
  }
}
