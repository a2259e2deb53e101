package dev.leasehold.server.ops;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.WorkResult;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.spi.LeaseStore;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Announces a running server by a lease of its own that others can list, so that replicas of
 * different versions on one store are found. The lease protects nothing, and a server works as well
 * without it.
 */
public final class Announcement implements AutoCloseable {
  public static final String KIND = "leasehold-server";
  public static final String VERSION = "version";
  public static final String ADDRESS = "address";

  private static final System.Logger LOG = System.getLogger(Announcement.class.getName());
  private static final int ID_LENGTH = 8;
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(10);
  private static final Duration WAIT = Duration.ofMinutes(1);

  /** A stopping server does not wait long for the release of its announcement. */
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

  private static final LeaseCharter CHARTER =
      LeaseCharter.of(KIND, Payload.LIVENESS, "nothing: it says that a server is there")
          .ttl(Duration.ofSeconds(30))
          .stallAfter(Duration.ofMinutes(2));

  private final Leases leases;
  private final LeaseRequest request;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread;
  private volatile Optional<Lease> held = Optional.empty();

  /** The announced server. */
  private Announcement(Leases leases, String version, URI address) {
    this.leases = leases;
    String id = leases.instanceId().text().substring(0, ID_LENGTH);
    this.request =
        LeaseRequest.of(LeaseKey.of(KIND, id))
            .purpose("server")
            .attribute(VERSION, version)
            .attribute(ADDRESS, address.toString());
    this.thread = Thread.ofVirtual().name("leasehold-announcement").unstarted(this::run);
  }

  /** Returns at once; an unreachable store only delays the announcement. */
  public static Announcement of(LeaseStore store, String version, URI address) {
    Announcement announcement =
        new Announcement(Leases.on(store).charter(CHARTER).open(), version, address);
    announcement.thread.start();
    return announcement;
  }

  public LeaseKey key() {
    return request.key();
  }

  /** The term of the lease, while it may be trusted. */
  public Optional<Token> term() {
    return held.filter(lease -> lease.trust().isPositive()).map(Lease::token);
  }

  /** Acquires the lease again whenever it ends for any reason but a stop. */
  private void run() {
    try {
      boolean stopped = false;
      while (!stopped) {
        WorkResult<Boolean> unused = leases.whileHeld(request, WAIT, this::stay);
        held = Optional.empty();
        stopped = isStoppedWithin(Duration.ofSeconds(1));
      }
    } catch (InterruptedException e) {
      LOG.log(Level.DEBUG, "the announcement was given up", e);
    } catch (Exception e) {
      LOG.log(Level.WARNING, "this server is not announced in the store", e);
    }
  }

  private Boolean stay(Lease lease) throws InterruptedException {
    held = Optional.of(lease);
    while (!isStoppedWithin(PROGRESS_EVERY)) {
      lease.progressed();
    }
    return true;
  }

  private boolean isStoppedWithin(Duration time) throws InterruptedException {
    return stop.await(time.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    stop.countDown();
    try {
      if (!thread.join(LONGEST_CLOSE)) {
        // The thread is waiting for an unreachable store; the lease expires by itself.
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    leases.close();
  }
}
