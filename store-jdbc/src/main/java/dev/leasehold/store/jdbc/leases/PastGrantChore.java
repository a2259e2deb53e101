package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Place;
import java.sql.SQLException;
import java.util.List;

/** Removes all but each key's latest past grants, once no request of theirs can be repeated. */
public record PastGrantChore(Limits limits) implements Chore {
  /** How many past grants of each key are kept, however old they are. */
  public static final int KEPT = 20;

  private static final Paging GRANTS =
      new Paging("history-page", place -> List.of(place.bucket(), place.name(), place.number()));

  @Override
  public String name() {
    return "history";
  }

  private long forgottenBefore(long nowMillis) {
    return nowMillis - limits.memoryMillis();
  }

  @Override
  public Page page(StoreConnection connection, Page.Bounds bounds, long nowMillis)
      throws SQLException {
    return GRANTS.find(
        connection,
        bounds,
        (last, row) -> {
          // The times of a key's grants rise with their tokens: after a young one, all are.
          boolean young = row.getLong(6) >= forgottenBefore(nowMillis);
          Place lastOfKey = new Place(last.bucket(), last.name(), "", "", Long.MAX_VALUE);
          return new Page(bounds.after(), last, young ? lastOfKey : last, true);
        });
  }

  @Override
  public int tidy(StoreConnection connection, Page page, long nowMillis) throws SQLException {
    Place last = page.last();
    long later = connection.number("later-grants", last.bucket(), last.name(), last.number(), KEPT);
    return connection.update(
        "trim-history",
        GRANTS.values(
            List.of(last.bucket(), last.name(), later), page, KEPT, forgottenBefore(nowMillis)));
  }
}
