package dev.leasehold.store.jdbc.housekeeping;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A position in a table that is tidied, as the parts of a row's primary key that the table has; a
 * page begins after it.
 */
public record Place(int bucket, String name, String part, String request, long number) {
  /** Before every row. */
  public static final Place START = new Place(-1, "", "", "", 0);

  /** Before the first row of a bucket: names are never empty. */
  public static Place before(int bucket) {
    return new Place(bucket, "", "", "", 0);
  }

  /** Reads one from five columns, the first of which is given. */
  static Place read(ResultSet row, int first) throws SQLException {
    return new Place(
        row.getInt(first),
        row.getString(first + 1),
        row.getString(first + 2),
        row.getString(first + 3),
        row.getLong(first + 4));
  }

  public static Place of(int bucket, String name) {
    return new Place(bucket, name, "", "", 0);
  }
}
