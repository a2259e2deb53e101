package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.DeadRows;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import java.sql.SQLException;
import java.util.List;

/**
 * Forgets records of keys when nothing can depend on them any more, by the rule of {@code Purge}.
 *
 * @param deadForMillis how long the key must have been unused
 */
public record LeasePurge(Limits limits, long deadForMillis) implements Purging {
  private static final Paging KEYS =
      new Paging("lease-page", place -> List.of(place.bucket(), place.name()));

  private static final DeadRows DEAD =
      new DeadRows(
          KEYS,
          "dead-buckets",
          "lock-free-floors",
          "lock-dead-leases",
          "raise-floors",
          List.of("delete-past-grants", "delete-requests", "delete-leases"));

  @Override
  public String name() {
    return "leases";
  }

  @Override
  public Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis)
      throws SQLException {
    return KEYS.find(connection, bounds);
  }

  @Override
  public int purge(StoreConnection connection, Page page, long nowMillis, int limit)
      throws SQLException {
    long quietMillis = Math.max(deadForMillis, limits.memoryMillis());
    return DEAD.purge(connection, page, new DeadRows.PurgeRequest(nowMillis, quietMillis, limit));
  }
}
