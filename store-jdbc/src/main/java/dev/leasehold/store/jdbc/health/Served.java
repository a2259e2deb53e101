package dev.leasehold.store.jdbc.health;

/**
 * What a witness has seen served at an address.
 *
 * @param storeId the last store
 * @param incarnation the highest of this store and of those before it
 * @param longestTtlMillis the longest that was seen granted in that incarnation
 */
public record Served(String storeId, int incarnation, long longestTtlMillis) {
  /** The combination with a later observation at the same address. */
  Served and(Served now) {
    if (now.incarnation == incarnation) {
      return new Served(now.storeId, incarnation, Math.max(longestTtlMillis, now.longestTtlMillis));
    }
    return now.incarnation > incarnation
        ? now
        : new Served(now.storeId, incarnation, longestTtlMillis);
  }
}
