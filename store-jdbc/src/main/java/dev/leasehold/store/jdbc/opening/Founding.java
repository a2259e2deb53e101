package dev.leasehold.store.jdbc.opening;

/**
 * The lower bounds of a new store.
 *
 * @param above the highest incarnation that a witness of this address has seen; 0 if there is none
 * @param longestTtlMillis the longest ttl that it has seen granted
 */
public record Founding(int above, long longestTtlMillis) {
  public static final Founding UNWITNESSED = new Founding(0, 0);
}
