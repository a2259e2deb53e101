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
  public static void post(StoreConnection session, List<String> texts) throws SQLException {
    for (String text : texts) {
      session.update("send-changes", text);
    }
  }

  @Override
  public void start(StoreConnection session) throws SQLException {
    session.autoCommit(true);
    version = version(session);
    last = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "last-change");
  }

  /** Grows whenever another connection has changed the file; reading it costs next to nothing. */
  private static long version(StoreConnection session) throws SQLException {
    return session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "data-version");
  }

  @Override
  public List<Item> next(StoreConnection session) throws SQLException {
    long now = version(session);
    if (now == version) {
      return List.of();
    }
    List<Item> items = new ArrayList<>();
    int found;
    do {
      found = page(session, items);
    } while (found == PAGE);
    version = now;
    return items;
  }

  private int page(StoreConnection session, List<Item> items) throws SQLException {
    return session.query(
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
  public void drop(StoreConnection session) {}

  @Override
  public long pollMillis() {
    return POLL_MILLIS;
  }
}
