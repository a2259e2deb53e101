package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.kernel.spi.Buckets;
import java.time.Duration;

/**
 * How large the pages of a chore are: as large as can be done in a moment on this database, since
 * others wait for what a page has locked. Rows that are deleted and not vacuumed yet take time and
 * do not count, so the number of buckets is bounded too.
 */
public final class PageSize {
  private static final long QUICK_NANOS = Duration.ofMillis(50).toNanos();
  private static final long SLOW_NANOS = Duration.ofMillis(100).toNanos();
  private static final int LEAST_ROWS = 1_000;
  private static final int FIRST_BUCKETS = 64;
  private static final int LEAST_BUCKETS = 8;

  /** A page never reads more. */
  public static final int MOST_ROWS = 5_000;

  private int rows = LEAST_ROWS;
  private int buckets = FIRST_BUCKETS;

  synchronized Page.Bounds after(Place place) {
    int first = Math.max(place.bucket(), 0);
    return new Page.Bounds(place, Math.min(first + buckets, Buckets.COUNT), rows);
  }

  /** Takes the time of the last page for the next one. */
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

  /** After a page that failed: it may have been too large for the time that a statement has. */
  synchronized void shrink() {
    rows = Math.max(rows / 2, LEAST_ROWS);
    buckets = Math.max(buckets / 2, LEAST_BUCKETS);
  }
}
