package dev.leasehold.kernel;

import dev.leasehold.kernel.engine.Environment;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.engine.Wanted;
import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * What all leases of one process share.
 *
 * @param callbacks runs what may take its time: whatever users want to be told
 */
record Household(
    LeaseStore store,
    Environment environment,
    Executor callbacks,
    Identity identity,
    Charters charters) {
  private static final Duration LONGEST_GRACE = Duration.ofSeconds(5);
  private static final int GRACES_PER_TTL = 10;
  private static final int TTL_JITTER_PART = 4;

  /** Who this process is, and what it asks for when it is not told. */
  record Identity(Instance instance, HolderInfo info, Duration defaultTtl) {}

  /** Refuses a charter that this store could never keep, before any request meets it. */
  LeaseCharter attach(LeaseCharter charter) {
    Timing.of(charter.ttl(), graceOf(charter.grace(), charter.ttl()), store.limits());
    return charters.attach(charter);
  }

  /** Turns a request into what is asked of the store; refuses what cannot be kept. */
  Wanted wanted(LeaseRequest request) {
    Duration ttl = request.ttl().orElseGet(this::jitteredDefault);
    Duration grace = graceOf(request.grace(), ttl);
    Timing timing = Timing.of(ttl, grace, store.limits());
    HolderInfo info =
        new HolderInfo(
            identity.info().holder(),
            request.purpose(),
            identity.info().region(),
            request.attributes());
    Terms terms = new Terms(info, ttl.toMillis(), request.stallLimit());
    return new Wanted(request.key(), identity.instance(), terms, request.expected(), timing);
  }

  private static Duration graceOf(Optional<Duration> named, Duration ttl) {
    Duration tenth = ttl.dividedBy(GRACES_PER_TTL);
    return named.orElse(tenth.compareTo(LONGEST_GRACE) < 0 ? tenth : LONGEST_GRACE);
  }

  /** Only a default is jittered: a ttl that somebody chose is kept to the letter. */
  private Duration jitteredDefault() {
    long millis = identity.defaultTtl().toMillis();
    long seed = environment.ticker().nanos() ^ identity.instance().hashCode();
    return Duration.ofMillis(
        millis + new SplittableRandom(seed).nextLong(millis / TTL_JITTER_PART + 1));
  }
}
