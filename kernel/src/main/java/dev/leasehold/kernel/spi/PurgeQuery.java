package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;

/**
 * Which keys to purge.
 *
 * @param deadForMillis for how long the key must have been unused
 * @param limit how many at the most, so that each step is bounded
 */
public record PurgeQuery(long deadForMillis, int limit) {
  public PurgeQuery {
    if (deadForMillis < 0 || limit < 1) {
      throw new IllFormedException(
          "purge needs a time of 0 ms or more and a limit of 1 or more, not "
              + deadForMillis
              + " ms and "
              + limit);
    }
  }
}
