package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The key that a caller wants to hold, and how the lease is kept once it is held.
 *
 * @param terms its ttl is that of the first grant; longer than that of the renewals if the key is
 *     to be kept from others for longer
 */
public record AcquireRequest(
    LeaseKey key,
    Instance instance,
    Terms terms,
    Optional<Command.Expected> expected,
    Timing timing) {
  private static final long MILLI = 1_000_000;

  /** The ttl of renewals; empty: the granted one. */
  OptionalLong renewalTtlMillis() {
    long ttlMillis = timing.ttlNanos() / MILLI;
    return terms.ttlMillis() > ttlMillis ? OptionalLong.of(ttlMillis) : OptionalLong.empty();
  }

  /** How long the store may keep the key from others without a renewal. */
  long longestGrantNanos() {
    return Math.max(timing.ttlNanos(), terms.ttlMillis() * MILLI);
  }
}
