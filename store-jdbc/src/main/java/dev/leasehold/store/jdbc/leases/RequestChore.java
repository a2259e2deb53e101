package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Place;
import java.sql.SQLException;

/** Requests that are no longer remembered. */
public record RequestChore(Limits limits) implements Chore {
  @Override
  public String name() {
    return "requests";
  }

  @Override
  public Page page(Session session, Page.Bounds bounds, long nowMillis) throws SQLException {
    Place after = bounds.after();
    return session.query(
        rows ->
            rows.next()
                ? Page.upTo(
                    after, new Place(rows.getInt(1), rows.getString(2), "", rows.getString(3), 0))
                : bounds.toEnd(),
        "request-page",
        after.bucket(),
        after.name(),
        after.request(),
        bounds.endBucket(),
        bounds.offset());
  }

  @Override
  public int tidy(Session session, Page page, long nowMillis) throws SQLException {
    return session.update(
        "trim-requests",
        page.after().bucket(),
        page.after().name(),
        page.after().request(),
        page.last().bucket(),
        page.last().name(),
        page.last().request(),
        nowMillis - limits.memoryMillis());
  }
}
