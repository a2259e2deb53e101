package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Release;
import dev.leasehold.store.jdbc.JdbcStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several processes acquire 5,000 keys with one prefix at the same moment, and release them, with
 * serializable transactions. Without buckets such keys would be neighbours on disk, as keys in one
 * bucket are.
 */
final class BurstCase {
  private static final int KEYS = 5_000;
  private static final int FEWEST = 200;
  private static final int PROCESSES = 4;
  private static final double TAIL = 0.99;
  private static final double HALF = 0.5;

  private final Stage stage;
  private final List<JdbcStore> stores = new ArrayList<>();
  private final List<Leases> processes = new ArrayList<>();

  private BurstCase(Stage stage) {
    this.stage = stage;
    for (int i = 0; i < PROCESSES; i++) {
      stores.add(JdbcStore.at(stage.postgres().serializableUrl()).migrate().open());
      processes.add(Leases.on(stores.getLast()).holder("process-" + i).open());
    }
  }

  static void run(Stage stage) throws Exception {
    int keys = stage.settings().share(KEYS, FEWEST);
    stage
        .report()
        .title("Correlated burst of %,d keys with one prefix, SERIALIZABLE".formatted(keys));
    stage
        .report()
        .header(
            "what",
            "operations",
            "restarts of 1,000",
            "p50 ms",
            "p99 ms",
            "a second",
            "durability");
    BurstCase burst = new BurstCase(stage);
    try {
      burst.measure("with buckets", Keys.of("shard/burst", 0, keys));
      burst.measure("without (all in one bucket)", Keys.inOneBucket("shard/crowd", keys));
    } finally {
      burst.processes.forEach(Leases::close);
      burst.stores.forEach(JdbcStore::close);
    }
  }

  /** New keys, and then the same keys again. */
  private void measure(String name, List<LeaseKey> keys) throws Exception {
    report(name + ", new keys", List.of(burst(keys)));
    List<Burst> again = new ArrayList<>();
    for (int i = 0; i < stage.settings().rounds(); i++) {
      again.add(burst(keys));
    }
    report(name + ", known keys", again);
  }

  private record Burst(Measured measured, long restarts) {}

  private long restarts() {
    return stores.stream().mapToLong(store -> store.diagnostics().restarts()).sum();
  }

  private Burst burst(List<LeaseKey> keys) throws Exception {
    long before = restarts();
    long begun = Load.now();
    List<Future<long[]>> pairs = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < keys.size(); i++) {
        LeaseKey key = keys.get(i);
        Leases process = processes.get(i % PROCESSES);
        pairs.add(threads.submit(() -> takeAndGiveBack(process, key)));
      }
    }
    long[] nanos = new long[2 * keys.size()];
    for (int i = 0; i < keys.size(); i++) {
      System.arraycopy(pairs.get(i).get(), 0, nanos, 2 * i, 2);
    }
    return new Burst(Measured.of(nanos, Load.now() - begun), restarts() - before);
  }

  private static long[] takeAndGiveBack(Leases process, LeaseKey key) throws InterruptedException {
    long begun = Load.now();
    Acquisition acquisition = process.tryAcquire(LeaseRequest.of(key).ttl(LeaseLocks.TTL));
    long taken = Load.now();
    if (!(acquisition instanceof Acquisition.Acquired acquired)) {
      throw new IllegalStateException("not acquired: " + acquisition);
    }
    Lease lease = acquired.lease();
    if (!(lease.release() instanceof Release.Released)) {
      throw new IllegalStateException("not released: " + key);
    }
    return new long[] {taken - begun, Load.now() - taken};
  }

  private void report(String name, List<Burst> bursts) {
    List<Measured> measured = bursts.stream().map(Burst::measured).toList();
    double operations = measured.stream().mapToInt(Measured::count).sum();
    double restarts = bursts.stream().mapToLong(Burst::restarts).sum();
    stage
        .report()
        .row(
            name,
            operations,
            1_000 * restarts / operations,
            Measured.median(measured, one -> one.quantileMillis(HALF)),
            Measured.median(measured, one -> one.quantileMillis(TAIL)),
            Measured.median(measured, Measured::perSecond),
            PostgresServer.DURABILITY);
  }
}
