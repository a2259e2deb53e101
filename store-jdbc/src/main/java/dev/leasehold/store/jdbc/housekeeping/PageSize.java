package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.kernel.spi.Buckets;
import java.time.Duration;

/**
 * The size of a chore's pages. It adapts so that a page takes only a short time on this database,
 * since others wait for the rows that a page has locked. Deleted rows that are not vacuumed yet
 * take time but are not counted, so the number of buckets is limited too.
 */
public final class PageSize {
  private static final long QUICK_NANOS = Duration.ofMillis(50).toNanos();
  private static final long SLOW_NANOS = Duration.ofMillis(100).toNanos();
  private static final int LEAST_ROWS = 1_000;
  private static final int FIRST_BUCKETS = 64;
  private static final int LEAST_BUCKETS = 8;

  /** The most rows of a page. */
  public static final int MOST_ROWS = 5_000;

  private int rows = LEAST_ROWS;
  private int buckets = FIRST_BUCKETS;

  synchronized Page.Bounds after(Place place) {
    int first = Math.max(place.bucket(), 0);
    return new Page.Bounds(place, Math.min(first + buckets, Buckets.COUNT), rows);
  }

  /** Adapts the size to the time that the last page took. */
  synchronized void took(long nanos, boolean full) {
    if (nanos > SLOW_NANOS && full) {
      rows = Math.max(rows / 2, LEAST_ROWS);
    } else if (nanos > SLOW_NANOS) {
      buckets = Math.max(buckets / 2, FIRST_BUCKETS);
    } else if (nanos < QUICK_NANOS) {
      rows = Math.min(rows * 2, MOST_ROWS);
      buckets = Math.min(buckets * 2, Buckets.COUNT);
    }
  }

  /**
   * Shrinks the pages after one that failed, which may have been too large for the statement
   * timeout.
   */
  synchronized void shrink() {
    rows = Math.max(rows / 2, LEAST_ROWS);
    buckets = Math.max(buckets / 2, LEAST_BUCKETS);
  }
}
