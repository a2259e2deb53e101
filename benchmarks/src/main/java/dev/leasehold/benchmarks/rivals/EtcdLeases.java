package dev.leasehold.benchmarks.rivals;

import io.etcd.jetcd.Lease;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** etcd's leases alone, without a lock. */
final class EtcdLeases implements Locks {
  private static final long TTL_SECONDS = 60;
  private static final long TIMEOUT_SECONDS = 30;

  private final EtcdServer server;
  private final Lease leases;
  private final Verb verb;
  private final Map<Thread, Long> kept = new ConcurrentHashMap<>();

  /** What is measured. */
  enum Verb {
    GRANT_AND_REVOKE,
    KEEP_ALIVE
  }

  private EtcdLeases(EtcdServer server, Verb verb) {
    this.server = server;
    this.leases = server.client().getLeaseClient();
    this.verb = verb;
  }

  static Locks open(Verb verb) throws Exception {
    return new EtcdLeases(EtcdServer.start(), verb);
  }

  @Override
  public void whileHeld(String key, Runnable work) throws Exception {
    switch (verb) {
      case GRANT_AND_REVOKE -> {
        long lease = grant();
        work.run();
        var unused = leases.revoke(lease).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
      case KEEP_ALIVE -> {
        Long lease = kept.get(Thread.currentThread());
        if (lease == null) {
          lease = grant();
          kept.put(Thread.currentThread(), lease);
        }
        var unused = leases.keepAliveOnce(lease).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        work.run();
      }
    }
  }

  private long grant() throws Exception {
    return leases.grant(TTL_SECONDS).get(TIMEOUT_SECONDS, TimeUnit.SECONDS).getID();
  }

  @Override
  public void close() {
    server.close();
  }
}
