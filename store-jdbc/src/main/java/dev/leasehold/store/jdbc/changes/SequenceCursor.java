package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the changes that SQLite keeps in a table, in the order of their numbers. There is one
 * writer at a time, so changes become visible in this order, and none is missed.
 */
public final class SequenceCursor implements ChangeSource {
  private static final long POLL_MILLIS = 50;
  private static final int PAGE = 500;

  private long version;
  private long last;

  /** Called in the transaction that makes the changes. */
  public static void post(StoreConnection connection, List<String> texts) throws SQLException {
    for (String text : texts) {
      connection.update("send-changes", text);
    }
  }

  @Override
  public void start(StoreConnection connection) throws SQLException {
    connection.autoCommit(true);
    version = version(connection);
    last = connection.number("last-change");
  }

  /** Grows whenever another connection has changed the file; reading it costs next to nothing. */
  private static long version(StoreConnection connection) throws SQLException {
    return connection.number("data-version");
  }

  @Override
  public List<Item> next(StoreConnection connection) throws SQLException {
    long now = version(connection);
    if (now == version) {
      return List.of();
    }
    List<Item> items = new ArrayList<>();
    int found;
    do {
      found = page(connection, items);
    } while (found == PAGE);
    version = now;
    return items;
  }

  private int page(StoreConnection connection, List<Item> items) throws SQLException {
    return connection.query(
        rows -> {
          int found = 0;
          while (rows.next()) {
            found++;
            if (rows.getLong(1) != last + 1) {
              items.add(new Gap());
            }
            last = rows.getLong(1);
            items.add(new Text(rows.getString(2)));
          }
          return found;
        },
        "changes",
        last,
        PAGE);
  }

  @Override
  public void drop(StoreConnection connection) {}

  @Override
  public long pollMillis() {
    return POLL_MILLIS;
  }
}
