package dev.leasehold.store.jdbc.housekeeping;

/**
 * A row of a table that is tidied, by as much of its primary key as the table has; pages begin
 * after it.
 */
public record Place(int bucket, String name, String part, String request, long number) {
  /** Before every row. */
  public static final Place START = new Place(-1, "", "", "", 0);

  /** Before the first row of a bucket: names are never empty. */
  public static Place before(int bucket) {
    return new Place(bucket, "", "", "", 0);
  }

  public static Place of(int bucket, String name) {
    return new Place(bucket, name, "", "", 0);
  }
}
