package dev.leasehold.store.jdbc.objects;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.housekeeping.DeadRows;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import java.util.List;

/**
 * Removes tombstones of objects, which their deletions lead to, and remembered writes that no
 * request can repeat.
 */
public final class ObjectPurge {
  private static final DeadRows DEAD =
      new DeadRows(
          new Paging(
              "remembered-write-page",
              place -> List.of(place.bucket(), place.name(), place.part(), place.request())),
          new DeadRows.Floors("lock-free-object-floors", "raise-object-floors"),
          "dead-object-buckets",
          "lock-dead-objects",
          List.of("delete-tombstones"),
          List.of("trim-remembered-writes"),
          List.of("trim-deletions"));

  private ObjectPurge() {}

  /** Purges objects that were deleted this long ago. */
  public static Purging after(long deadForMillis, Limits limits) {
    return new Purging("objects", DEAD, limits, deadForMillis);
  }
}
