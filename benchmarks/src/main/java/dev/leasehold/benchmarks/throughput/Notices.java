package dev.leasehold.benchmarks.throughput;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Whether one process hears at once of what another has done. */
final class Notices {
  private static final int TRIES = 20;
  private static final int BETWEEN_MILLIS = 100;

  private Notices() {}

  static boolean arrive(String url) throws InterruptedException {
    CountDownLatch heard = new CountDownLatch(1);
    try (JdbcLeaseStore listening = JdbcLeaseStore.at(url).migrate().open();
        LeaseLocks acting =
            new LeaseLocks(JdbcLeaseStore.at(url).migrate().open(), Duration.ZERO)) {
      LeaseStore.Subscription unused = listening.watch("lock/heard", listener(heard));
      // Again: what is done before the other one listens is not told.
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
