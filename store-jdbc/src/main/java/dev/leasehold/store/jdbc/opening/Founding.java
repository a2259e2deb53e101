package dev.leasehold.store.jdbc.opening;

/**
 * What a new store starts above.
 *
 * @param above the highest incarnation that a witness of this address has seen; 0 where there is
 *     none
 * @param longestTtlMillis the longest ttl that it saw granted
 */
public record Founding(int above, long longestTtlMillis) {
  public static final Founding UNWITNESSED = new Founding(0, 0);
}
