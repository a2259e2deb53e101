package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the changes that CockroachDB keeps in a table. Its writers commit in any order and by
 * clocks that differ, so each read goes back by as long as the slowest writer may take, and drops
 * the changes that it has seen already.
 */
public final class TimeCursor implements ChangeSource {
  /** Longer than a statement that sends changes may run, and than clocks may differ. */
  public static final long OVERLAP_MILLIS = 5_000;

  private static final long POLL_MILLIS = 200;

  private final Map<String, Long> seen = new HashMap<>();
  private long latest;

  @Override
  public void start(StoreConnection connection) throws SQLException {
    connection.autoCommit(true);
    seen.clear();
    latest = connection.number("clock");
    // These changes are only remembered, so that a later read drops them.
    List<Item> unused = next(connection);
  }

  @Override
  public List<Item> next(StoreConnection connection) throws SQLException {
    List<Item> items = new ArrayList<>();
    long from = latest - OVERLAP_MILLIS;
    seen.values().removeIf(at -> at <= from);
    connection.each(
        row -> {
          latest = Math.max(latest, row.getLong(2));
          if (seen.put(row.getString(1), row.getLong(2)) == null) {
            items.add(new Text(row.getString(3)));
          }
        },
        "changes",
        from);
    return items;
  }

  @Override
  public void drop(StoreConnection connection) {}

  @Override
  public long pollMillis() {
    return POLL_MILLIS;
  }
}
