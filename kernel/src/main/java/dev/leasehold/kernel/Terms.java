package dev.leasehold.kernel;

import java.time.Duration;

/**
 * What a holder asks for and a grant carries: who, for how long at a time, and what renewal proves.
 *
 * @param ttlMillis how long the grant lasts from each renewal; the store checks its bounds
 */
public record Terms(HolderInfo info, long ttlMillis, StallLimit stallLimit) {
  private static final Duration FAR_TOO_LONG = Duration.ofDays(365);

  public static Terms of(String holder, Duration ttl) {
    // Longer ones are cut: the store refuses them all the same, and says what its longest is.
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
