package dev.leasehold.benchmarks.throughput;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Checks whether one process gets hints of another's changes at once. */
final class Notices {
  private static final int TRIES = 20;
  private static final int BETWEEN_MILLIS = 100;

  private Notices() {}

  static boolean arrive(String url) throws InterruptedException {
    CountDownLatch heard = new CountDownLatch(1);
    try (JdbcStore listening = JdbcStore.at(url).migrate().open();
        LeaseLocks acting =
            new LeaseLocks(JdbcStore.at(url).migrate().open().leases(), Duration.ZERO)) {
      LeaseStore.Subscription unused = listening.leases().watch("lock/heard", listener(heard));
      // Repeated, because a change before the other process listens is not announced.
      for (int i = 0; i < TRIES && heard.getCount() > 0; i++) {
        acting.whileHeld("lock/heard", () -> {});
        boolean unusedYet = heard.await(BETWEEN_MILLIS, TimeUnit.MILLISECONDS);
      }
      return heard.getCount() == 0;
    }
  }

  private static ChangeListener<LeaseChange> listener(CountDownLatch heard) {
    return new ChangeListener<LeaseChange>() {
      @Override
      public void changed(LeaseChange change) {
        if (change.kind() == LeaseChange.Kind.RELEASED) {
          heard.countDown();
        }
      }

      @Override
      public void reset() {}
    };
  }
}
