package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.housekeeping.DeadRows;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import java.util.List;

/**
 * Forgets records of keys when nothing can depend on them any more, by the rule of {@code Purge}.
 */
public final class LeasePurge {
  private static final DeadRows DEAD =
      new DeadRows(
          new Paging("lease-page", place -> List.of(place.bucket(), place.name())),
          new DeadRows.Floors("lock-free-floors", "raise-floors"),
          "dead-buckets",
          "lock-dead-leases",
          List.of("delete-past-grants", "delete-requests", "delete-leases"),
          List.of(),
          List.of());

  private LeasePurge() {}

  /** Purges keys that have been unused for this time. */
  public static Purging after(long deadForMillis, Limits limits) {
    return new Purging("leases", DEAD, limits, deadForMillis);
  }
}
