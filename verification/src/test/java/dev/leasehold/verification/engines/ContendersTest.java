package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Contenders that ask for a held key without a pause do not starve its holder: its renewals succeed
 * for as long as they ask, like those of a control key without contenders.
 */
@EnabledIfSystemProperty(named = "leasehold.proof", matches = "true")
class ContendersTest {
  private static final int CONTENDERS = 48;
  private static final Duration TTL = Duration.ofSeconds(3);
  private static final long SECONDS = 20;
  private static final LeaseKey WANTED = new LeaseKey("lock/wanted");
  private static final LeaseKey CONTROL = new LeaseKey("lock/control");

  @TempDir Path folder;

  private static Lease take(Leases leases, LeaseKey key) throws InterruptedException {
    return ((Acquisition.Acquired) leases.tryAcquire(LeaseRequest.of(key).ttl(TTL))).lease();
  }

  @Test
  void aHolderIsRenewedWhileContendersAskForItsKey() throws Exception {
    try (PostgresNode node = PostgresNode.start(folder.resolve("postgres"));
        JdbcStore store = JdbcStore.at(node.url()).migrate().open();
        JdbcStore others = JdbcStore.at(node.url()).open();
        Leases leases = Leases.on(store).holder("ann").open();
        Lease wanted = take(leases, WANTED);
        Lease control = take(leases, CONTROL)) {
      LongAdder refused = new LongAdder();
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> contenders = new ArrayList<>();
      for (int i = 0; i < CONTENDERS; i++) {
        Client client = Client.of(others.leases());
        contenders.add(Thread.ofVirtual().start(() -> contend(client, over, refused)));
      }
      CountDownLatch lost = new CountDownLatch(1);
      var unused = wanted.lost().thenRun(lost::countDown);
      var unusedToo = control.lost().thenRun(lost::countDown);
      boolean anyLost = lost.await(SECONDS, TimeUnit.SECONDS);
      over.set(true);
      for (Thread contender : contenders) {
        contender.join();
      }
      System.getLogger(ContendersTest.class.getName())
          .log(System.Logger.Level.INFO, "{0} acquires were refused", refused.sum());
      if (anyLost && control.lossReason().isPresent()) {
        Assumptions.abort("the control was lost too: this machine is too slow for such a ttl");
      }
      assertThat(anyLost).as("%s", wanted.lossReason()).isFalse();
      assertThat(wanted.trust()).isPositive();
      assertThat(refused.sum()).isPositive();
    }
  }

  private static void contend(Client client, AtomicBoolean over, LongAdder refused) {
    try {
      while (!over.get()) {
        if (client.acquire(WANTED, TTL) instanceof Outcome.Held) {
          refused.increment();
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
