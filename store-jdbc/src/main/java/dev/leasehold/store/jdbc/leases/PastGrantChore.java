package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Place;
import java.sql.SQLException;

/** Past grants beyond the last of each key, once nothing under them can be repeated. */
public record PastGrantChore(Limits limits) implements Chore {
  /** How many are kept of each key, however old they are. */
  public static final int KEPT = 20;

  @Override
  public String name() {
    return "history";
  }

  private long forgottenBefore(long nowMillis) {
    return nowMillis - limits.memoryMillis();
  }

  @Override
  public Page page(Session session, Page.Bounds bounds, long nowMillis) throws SQLException {
    Place after = bounds.after();
    return session.query(
        rows -> {
          if (!rows.next()) {
            return bounds.toEnd();
          }
          Place last = grant(rows.getInt(1), rows.getString(2), rows.getLong(3));
          // The times of a key's grants rise with their tokens: after a young one, all are.
          boolean young = rows.getLong(4) >= forgottenBefore(nowMillis);
          return young
              ? new Page(after, last, grant(last.bucket(), last.name(), Long.MAX_VALUE), true)
              : Page.upTo(after, last);
        },
        "history-page",
        after.bucket(),
        after.name(),
        after.number(),
        bounds.endBucket(),
        bounds.offset());
  }

  private static Place grant(int bucket, String key, long token) {
    return new Place(bucket, key, "", "", token);
  }

  @Override
  public int tidy(Session session, Page page, long nowMillis) throws SQLException {
    Place after = page.after();
    Place last = page.last();
    int later =
        session.query(
            rows -> rows.next() ? rows.getInt(1) : 0,
            "later-grants",
            last.bucket(),
            last.name(),
            last.number(),
            KEPT);
    return session.update(
        "trim-history",
        last.bucket(),
        last.name(),
        later,
        after.bucket(),
        after.name(),
        after.number(),
        last.bucket(),
        last.name(),
        last.number(),
        KEPT,
        forgottenBefore(nowMillis));
  }
}
