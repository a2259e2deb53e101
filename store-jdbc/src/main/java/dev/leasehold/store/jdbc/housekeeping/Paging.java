package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How a table is divided into pages, in the order of its primary key.
 *
 * @param statement selects the last row of a page, as the columns of a {@link Place}
 * @param key the parts of a place that the table's primary key has
 */
public record Paging(String statement, Function<Place, List<?>> key) {
  public Page find(StoreConnection connection, Page.Bounds bounds) throws SQLException {
    return find(connection, bounds, (last, row) -> Page.upTo(bounds.after(), last));
  }

  /** Makes a page of its last row. */
  public interface Ending {
    Page page(Place last, ResultSet row) throws SQLException;
  }

  /** The same where the last row decides what the page is. */
  public Page find(StoreConnection connection, Page.Bounds bounds, Ending ending)
      throws SQLException {
    List<@Nullable Object> values = new ArrayList<>(key.apply(bounds.after()));
    values.add(bounds.endBucket());
    values.add(bounds.offset());
    return connection.query(
        row -> row.next() ? ending.page(Place.read(row, 1), row) : bounds.toEnd(),
        statement,
        values.toArray());
  }

  /** The bounds of a page as values of a statement, between others. */
  public @Nullable Object[] values(List<?> first, Page page, Object... then) {
    List<@Nullable Object> values = new ArrayList<>(first);
    values.addAll(key.apply(page.after()));
    values.addAll(key.apply(page.last()));
    values.addAll(List.of(then));
    return values.toArray();
  }
}
