package dev.leasehold.store.jdbc.objects;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.DeadRows;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import dev.leasehold.store.jdbc.housekeeping.Trimming;
import java.sql.SQLException;
import java.util.List;

/**
 * Removes tombstones of objects, which their deletions lead to, and remembered writes that no
 * request can repeat.
 *
 * @param deadForMillis how long ago an object must have been deleted
 */
public record ObjectPurge(Limits limits, long deadForMillis) implements Purging {
  private static final Paging WRITES =
      new Paging(
          "remembered-write-page",
          place -> List.of(place.bucket(), place.name(), place.part(), place.request()));

  private static final DeadRows DEAD =
      new DeadRows(
          WRITES,
          "dead-object-buckets",
          "lock-free-object-floors",
          "lock-dead-objects",
          "raise-object-floors",
          List.of("delete-tombstones"));

  @Override
  public String name() {
    return "objects";
  }

  @Override
  public Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis)
      throws SQLException {
    return WRITES.find(connection, bounds);
  }

  @Override
  public int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException {
    int writes =
        trim("trim-remembered-writes", limits.memoryMillis()).tidy(connection, page, nowMillis);
    return writes + Purging.super.tidy(connection, page, nowMillis);
  }

  private Trimming trim(String statement, long keptMillis) {
    return new Trimming(name(), WRITES, statement, keptMillis);
  }

  @Override
  public int purge(StoreConnection connection, Page page, long nowMillis, int limit)
      throws SQLException {
    long deadMillis = Math.max(deadForMillis, limits.memoryMillis());
    int purged =
        DEAD.purge(connection, page, new DeadRows.PurgeRequest(nowMillis, deadMillis, limit));
    int unused = trim("trim-deletions", deadMillis).tidy(connection, page, nowMillis);
    return purged;
  }
}
