package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Command;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a caller wants to hold, and how it is to be kept once it is held.
 *
 * @param terms its ttl is that of the first grant, and longer than that of the renewals where the
 *     key is to be kept from others for longer
 */
public record Wanted(
    LeaseKey key,
    Instance instance,
    Terms terms,
    Optional<Command.Expected> expected,
    Timing timing) {
  private static final long MILLI = 1_000_000;

  /** What to renew for; empty: as long as was granted. */
  OptionalLong renewalTtlMillis() {
    long ttlMillis = timing.ttlNanos() / MILLI;
    return terms.ttlMillis() > ttlMillis ? OptionalLong.of(ttlMillis) : OptionalLong.empty();
  }

  /** How long the store may keep the key from others, if nobody renews. */
  long longestGrantNanos() {
    return Math.max(timing.ttlNanos(), terms.ttlMillis() * MILLI);
  }
}
