package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a table that no command can need again, and how they are purged. The floors of their
 * buckets are locked first, then the rows, so that the next row of the same name is numbered above
 * the one that is gone. Rows and floors that another transaction has locked are left for another
 * time, so no transaction waits while a floor is locked.
 *
 * <p>Each statement works on many rows: buckets are one value, as {@link StoreConnection#numbers}
 * gives them, and rows as {@link StoreConnection#columns} does.
 *
 * @param floors the floors of the buckets
 * @param buckets selects the buckets of a page that have dead rows, without a lock; its values are
 *     the time before which a row must have died, and the bounds of the page
 * @param lockRows locks the dead rows, and selects of each its bucket, its number, and the values
 *     by which it is deleted; its values are the time, the age, the bounds of the page, the
 *     buckets, and how many rows it may lock. A row is judged once more by the clock that is read
 *     after the lock, if something else than a deletion can follow in it
 * @param deletions delete what belongs to the rows, and the rows themselves at last
 * @param remembered delete of a page what no request can repeat that was made before a time
 * @param leftovers delete of a page what purged rows have left from before a time
 */
public record DeadRows(
    Paging paging,
    Floors floors,
    String buckets,
    String lockRows,
    List<String> deletions,
    List<String> remembered,
    List<String> leftovers) {
  /**
   * Statements on the floors of a table.
   *
   * @param lock locks the floors of buckets, and selects the buckets whose floors it got
   * @param raise raises floors, by bucket and number
   */
  public record Floors(String lock, String raise) {}

  private record Found(List<List<?>> numbers, List<List<?>> rows) {}

  /**
   * What may be purged of a page.
   *
   * @param deadMillis for how long a row must have been dead
   * @param limit how many rows
   */
  public record PurgeRequest(long nowMillis, long deadMillis, int limit) {}

  /** Purges rows of a page; returns how many. */
  public int purge(StoreConnection connection, Page page, PurgeRequest request)
      throws SQLException {
    long before = request.nowMillis() - request.deadMillis();
    List<Integer> dead =
        connection.list(row -> row.getInt(1), buckets, paging.values(List.of(before), page));
    if (dead.isEmpty()) {
      return 0;
    }
    List<Integer> locked =
        connection.list(row -> row.getInt(1), floors.lock(), connection.numbers(dead));
    Found found =
        connection.query(
            DeadRows::readRows,
            lockRows,
            paging.values(
                List.of(before, request.deadMillis()),
                page,
                connection.numbers(locked),
                request.limit()));
    return found.rows().isEmpty() ? 0 : remove(connection, found);
  }

  private int remove(StoreConnection connection, Found found) throws SQLException {
    connection.update(floors.raise(), connection.columns(found.numbers()));
    int removed = 0;
    for (String deletion : deletions) {
      removed = connection.update(deletion, connection.columns(found.rows()));
    }
    return removed;
  }

  private static Found readRows(ResultSet rows) throws SQLException {
    Found found = new Found(new ArrayList<>(), new ArrayList<>());
    int columns = rows.getMetaData().getColumnCount();
    while (rows.next()) {
      found.numbers().add(List.of(rows.getInt(1), rows.getLong(2)));
      List<Object> row = new ArrayList<>();
      for (int column = 3; column <= columns; column++) {
        row.add(rows.getObject(column));
      }
      found.rows().add(row);
    }
    return found;
  }
}
