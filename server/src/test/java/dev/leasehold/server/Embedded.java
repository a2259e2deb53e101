package dev.leasehold.server;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A process that embeds leases, and renews them often. */
record Embedded(Leases leases, Map<String, Lease> held) implements Anna {
  Embedded(Leases leases) {
    this(leases, new ConcurrentHashMap<>());
  }

  private static LeaseRequest request(String key, Duration ttl) {
    return LeaseRequest.of(key).ttl(ttl).renewEvery(Duration.ofMillis(50));
  }

  private void keep(Acquisition acquisition) {
    if (acquisition instanceof Acquisition.Acquired acquired) {
      held.put(acquired.lease().key().text(), acquired.lease());
    }
  }

  private Lease lease(String key) {
    return Objects.requireNonNull(held.get(key), key);
  }

  @Override
  public void acquire(String key, Duration ttl) throws InterruptedException {
    keep(leases.tryAcquire(request(key, ttl)));
  }

  @Override
  public Attempt acquireLater(String key) {
    CompletableFuture<Acquisition> attempt =
        leases.acquireAsync(request(key, Duration.ofSeconds(30)), Duration.ofMinutes(1));
    return new Attempt() {
      @Override
      public void join() {
        keep(attempt.join());
      }

      @Override
      public void giveUp() {
        attempt.cancel(false);
      }
    };
  }

  @Override
  public void renew(String key, int times) {
    // It is under way.
  }

  @Override
  public void awaitNoTrust(String key) throws Exception {
    lease(key).lost().toCompletableFuture().get();
  }

  @Override
  public void beRefused(String key) {
    lease(key).refused("disk", new Admission.Stale(Token.of(1, 1_000_000)));
  }

  @Override
  public void release(String key) {
    lease(key).close();
  }
}
