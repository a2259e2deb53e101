package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.engine.AcquireRequest;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * What all leases of one process share.
 *
 * @param callbacks runs users' callbacks, which may block
 * @param observer neither blocks nor throws
 */
record HolderContext(
    LeaseStore store,
    Environment environment,
    Executor callbacks,
    ObserverDispatch observer,
    Identity identity,
    Charters charters) {
  private static final Duration LONGEST_GRACE = Duration.ofSeconds(5);
  private static final int GRACES_PER_TTL = 10;
  private static final int TTL_JITTER_PART = 4;

  /** This process's identity, and its default ttl. */
  record Identity(Instance instance, HolderInfo info, Duration defaultTtl) {}

  /** Refuses a charter that this store could never keep, before any request uses it. */
  LeaseCharter attach(LeaseCharter charter) {
    Timing.of(charter.ttl(), graceOf(charter.grace(), charter.ttl()), store.limits());
    return charters.attach(charter);
  }

  /** Turns a request into what the engine asks of the store; refuses what cannot be kept. */
  AcquireRequest wanted(LeaseRequest request) {
    Duration ttl = request.ttl().orElseGet(this::jitteredDefault);
    Duration grace = graceOf(request.grace(), ttl);
    Timing kept =
        request
            .renewEvery()
            .map(interval -> Timing.of(ttl, interval, grace, store.limits()))
            .orElseGet(() -> Timing.of(ttl, grace, store.limits()));
    Timing timing = request.length().atMost().map(kept::atMost).orElse(kept);
    HolderInfo info =
        new HolderInfo(
            identity.info().holder(),
            request.purpose(),
            identity.info().region(),
            request.attributes());
    Terms terms = new Terms(info, firstTtlMillis(request, ttl), request.stallLimit());
    return new AcquireRequest(
        request.key(), identity.instance(), terms, request.expected(), timing);
  }

  /**
   * The ttl of the first grant: at least as long as the key is to be kept from others. Renewals do
   * not shorten it and are for the normal ttl, so that a holder that crashes later is followed as
   * soon as usual.
   */
  private long firstTtlMillis(LeaseRequest request, Duration ttl) {
    Duration atLeast = request.length().atLeast();
    if (atLeast.compareTo(ttl) <= 0) {
      return ttl.toMillis();
    }
    if (atLeast.compareTo(Duration.ofMillis(Limits.MAX_TTL_MILLIS)) > 0) {
      throw new IllFormedException(
          "at least " + atLeast + ": a store keeps a key for 24 h at most");
    }
    // Rounded up, because it is a minimum.
    return atLeast.plusNanos(999_999).toMillis();
  }

  private static Duration graceOf(Optional<Duration> named, Duration ttl) {
    Duration tenth = ttl.dividedBy(GRACES_PER_TTL);
    return named.orElse(tenth.compareTo(LONGEST_GRACE) < 0 ? tenth : LONGEST_GRACE);
  }

  /** Only a default gets jitter: a ttl that the caller chose is used as it is. */
  private Duration jitteredDefault() {
    long millis = identity.defaultTtl().toMillis();
    long seed = environment.ticker().nanos() ^ identity.instance().hashCode();
    return Duration.ofMillis(
        millis + new SplittableRandom(seed).nextLong(millis / TTL_JITTER_PART + 1));
  }
}
