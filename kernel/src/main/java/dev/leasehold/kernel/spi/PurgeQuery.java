package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;

/**
 * Which keys to purge.
 *
 * @param deadForMillis how long nothing may have happened to them
 * @param limit how many at the most: purging is done in bounded steps
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
