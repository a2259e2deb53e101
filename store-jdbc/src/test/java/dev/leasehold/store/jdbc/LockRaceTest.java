package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.locks.Locks;
import dev.leasehold.blocks.locks.Permits;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.Leases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Many contenders on real stores: each has a store and an instance of its own; the host name is the
 * same.
 */
class LockRaceTest {
  private static final int MANY = 6;
  private static final int ROUNDS = 5;
  private static final int PERMITS = 3;

  @TempDir Path folder;

  @Test
  void acquisition_by_many_at_once_gives_one_winner_on_sqlite() throws Exception {
    race("sqlite:" + folder.resolve("leases.db"));
  }

  @Test
  void acquisition_by_many_at_once_gives_one_winner_on_postgres() throws Exception {
    try (Schema schema = new Schema()) {
      race(schema.url(""));
    }
  }

  private static void race(String url) throws Exception {
    List<JdbcStore> stores = new ArrayList<>();
    List<Leases> processes = new ArrayList<>();
    try {
      for (int i = 0; i < MANY; i++) {
        JdbcStore store = JdbcStore.at(url).migrate().open();
        stores.add(store);
        processes.add(Leases.on(store).holder("host").open());
      }
      for (int round = 0; round < ROUNDS; round++) {
        String name = "report-" + round;
        List<Lease> winners = won(processes, leases -> Locks.on(leases).tryLock(name));
        winners.forEach(Lease::close);
        assertThat(winners).hasSize(1);
      }
      List<Lease> permits = won(processes, leases -> permits(leases).tryAcquire());
      permits.forEach(Lease::close);
      assertThat(permits).hasSize(PERMITS);
      assertThat(permits.stream().map(Lease::key).distinct()).hasSize(PERMITS);
    } finally {
      processes.forEach(Leases::close);
      stores.forEach(JdbcStore::close);
    }
  }

  private static Permits permits(Leases leases) {
    return Locks.on(leases)
        .permits("api", PERMITS)
        .refined(request -> request.ttl(Duration.ofSeconds(20)));
  }

  private interface Asking {
    Acquisition ask(Leases leases) throws InterruptedException;
  }

  private static List<Lease> won(List<Leases> processes, Asking asking) throws Exception {
    CyclicBarrier start = new CyclicBarrier(processes.size());
    List<Lease> won = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(processes.size())) {
      List<Future<Acquisition>> asked = new ArrayList<>();
      for (Leases leases : processes) {
        asked.add(
            threads.submit(
                () -> {
                  start.await();
                  return asking.ask(leases);
                }));
      }
      for (Future<Acquisition> one : asked) {
        Acquisition answer = one.get();
        assertThat(answer).isInstanceOfAny(Acquisition.Acquired.class, Acquisition.Held.class);
        if (answer instanceof Acquisition.Acquired(Lease lease)) {
          won.add(lease);
        }
      }
    }
    return won;
  }
}
