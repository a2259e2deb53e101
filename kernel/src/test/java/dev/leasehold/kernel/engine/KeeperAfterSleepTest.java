package dev.leasehold.kernel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** I9, I12: timers may stand still while a machine sleeps; the ticker does not. */
class KeeperAfterSleepTest {
  private final AtomicLong now = new AtomicLong();
  private final List<Long> delays = new ArrayList<>();
  private final Environment environment =
      new Environment(
          now::get,
          (task, delay) -> {
            delays.add(delay);
            return () -> {};
          },
          Runnable::run,
          new SplittableRandom(1));
  private final List<List<Command>> sent = new ArrayList<>();
  private final Keeper keeper =
      new Keeper((batch, reply) -> sent.add(batch), environment, (lease, reason) -> {});

  @Test
  void an_overdue_timer_is_not_relied_on_when_another_lease_is_kept() {
    keeper.keep(lease("shard/1", Duration.ofSeconds(30)));
    assertThat(delays).hasSize(1);

    now.addAndGet(Duration.ofSeconds(20).toNanos());
    keeper.keep(lease("shard/2", Duration.ofSeconds(5)));

    assertThat(sent).as("what is overdue is renewed at once").hasSize(1);
    assertThat(sent.getFirst().getFirst().key().text()).isEqualTo("shard/1");
  }

  private HeldLease lease(String key, Duration ttl) {
    Timing timing = Timing.of(ttl, ttl.dividedBy(10), Limits.SINGLE_NODE);
    Instance instance = Instance.of("0123456789abcdef0123456789abcdef");
    return new HeldLease(
        new HeldLease.Claimed(
            new LeaseKey(key),
            Token.of(1, 1),
            instance,
            timing,
            ttl.toMillis(),
            OptionalLong.empty()),
        now.get(),
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
