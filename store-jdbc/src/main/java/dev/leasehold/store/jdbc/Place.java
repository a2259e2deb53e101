package dev.leasehold.store.jdbc;

/**
 * A row of a table that is tidied, by as much of its primary key as the table has; pages begin
 * after it.
 */
record Place(int bucket, String name, String part, String request, long number) {
  /** Before every row. */
  static final Place START = new Place(-1, "", "", "", 0);

  /** Before the first row of a bucket: names are never empty. */
  static Place before(int bucket) {
    return new Place(bucket, "", "", "", 0);
  }

  static Place of(int bucket, String name) {
    return new Place(bucket, name, "", "", 0);
  }
}
