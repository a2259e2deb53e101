package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import java.util.Optional;

/**
 * Which records to list.
 *
 * @param prefix the start of the keys; empty for all
 * @param after the last key of the page before, or empty for the first page
 * @param limit how many at the most, 1 to 1,000
 */
public record ListQuery(String prefix, Optional<LeaseKey> after, int limit) {
  public static final int MAX_LIMIT = 1_000;

  public ListQuery {
    if (limit < 1 || limit > MAX_LIMIT) {
      throw new IllFormedException("a page has 1 to " + MAX_LIMIT + " records, not " + limit);
    }
  }

  public static ListQuery all(String prefix) {
    return new ListQuery(prefix, Optional.empty(), MAX_LIMIT);
  }

  public ListQuery from(LeaseKey last) {
    return new ListQuery(prefix, Optional.of(last), limit);
  }
}
