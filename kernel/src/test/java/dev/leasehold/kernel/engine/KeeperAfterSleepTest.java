package dev.leasehold.kernel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** I9, I12: timers may stand still or come late; what is due by the ticker is due. */
class KeeperAfterSleepTest {
  private final AtomicLong now = new AtomicLong();
  private final List<LeaseKey> renewed = new ArrayList<>();
  private final Environment environment =
      new Environment(now::get, (task, delay) -> () -> {}, Runnable::run, new SplittableRandom(1));
  private final Keeper keeper =
      new Keeper(
          (batch, reply) -> batch.forEach(command -> renewed.add(command.key())),
          environment,
          (lease, reason) -> {});

  @Test
  void what_is_overdue_waits_for_no_timer_when_something_else_happens() {
    keeper.keep(lease("shard/1", Duration.ofSeconds(30)));
    now.addAndGet(Duration.ofSeconds(20).toNanos());
    assertThat(renewed).as("its timer has not come").isEmpty();

    keeper.keep(lease("shard/2", Duration.ofSeconds(5)));

    assertThat(renewed).containsExactly(new LeaseKey("shard/1"));
  }

  private HeldLease lease(String key, Duration ttl) {
    Timing timing = Timing.of(ttl, ttl.dividedBy(10), Limits.SINGLE_NODE);
    Instance instance = Instance.of("0123456789abcdef0123456789abcdef");
    return new HeldLease(
        new HeldLease.Claimed(new LeaseKey(key), Token.of(1, 1), instance, timing),
        timing.trustUntil(now.get(), ttl.toMillis()),
        new Silent());
  }

  private static final class Silent implements HeldLease.Listener {
    @Override
    public void ending() {}

    @Override
    public void lost(LossReason reason) {}
  }
}
