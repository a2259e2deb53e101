package dev.leasehold.kernel.model;

import java.time.Duration;

/**
 * The terms of a grant: its holder, its ttl, and what renewal must prove.
 *
 * @param ttlMillis how long the grant lasts from each renewal; the store checks its bounds
 */
public record Terms(HolderInfo info, long ttlMillis, StallLimit stallLimit) {
  private static final Duration FAR_TOO_LONG = Duration.ofDays(365);

  public static Terms of(String holder, Duration ttl) {
    // A longer ttl is cut to avoid overflow. The store refuses it all the same, and names its
    // longest ttl.
    Duration counted = ttl.compareTo(FAR_TOO_LONG) > 0 ? FAR_TOO_LONG : ttl;
    return new Terms(HolderInfo.named(holder), counted.toMillis(), StallLimit.NONE);
  }

  public Terms withInfo(HolderInfo newInfo) {
    return new Terms(newInfo, ttlMillis, stallLimit);
  }

  public Terms withTtlMillis(long newTtlMillis) {
    return new Terms(info, newTtlMillis, stallLimit);
  }

  public Terms withStallLimit(StallLimit newLimit) {
    return new Terms(info, ttlMillis, newLimit);
  }
}
