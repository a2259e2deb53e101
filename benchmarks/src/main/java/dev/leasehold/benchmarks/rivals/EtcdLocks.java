package dev.leasehold.benchmarks.rivals;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Lock;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * jetcd's lock on an etcd of one member. An etcd lock belongs to an etcd lease, so each caller has
 * its own, which lasts longer than the measurement.
 */
final class EtcdLocks implements Locks {
  private static final long TTL_SECONDS = 3_600;
  private static final long TIMEOUT_SECONDS = 30;

  private final EtcdServer server;
  private final Client client;
  private final Lock lock;
  private final Map<Thread, Long> leases = new ConcurrentHashMap<>();

  private EtcdLocks(EtcdServer server) {
    this.server = server;
    this.client = server.client();
    this.lock = client.getLockClient();
  }

  static Locks open() throws Exception {
    return new EtcdLocks(EtcdServer.start());
  }

  @Override
  public void whileHeld(String key, Runnable work) throws Exception {
    Long lease = leases.get(Thread.currentThread());
    if (lease == null) {
      lease = client.getLeaseClient().grant(TTL_SECONDS).get().getID();
      leases.put(Thread.currentThread(), lease);
    }
    ByteSequence name = ByteSequence.from(key, StandardCharsets.US_ASCII);
    ByteSequence held = lock.lock(name, lease).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).getKey();
    work.run();
    var unused = lock.unlock(held).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    server.close();
  }
}
