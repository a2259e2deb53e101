package dev.leasehold.store.jdbc.housekeeping;

/**
 * A part of a table that is tidied in one transaction.
 *
 * @param after where it begins; that row itself is not in it
 * @param last its last row, or the place where its buckets end
 * @param next where the next page begins: further on, if nothing there can be removed yet
 * @param full whether it has as many rows as it may, and not only as many buckets
 */
public record Page(Place after, Place last, Place next, boolean full) {
  public static Page upTo(Place after, Place last) {
    return new Page(after, last, last, true);
  }

  /** How far a page may reach: so many rows, in the buckets below the end. */
  public record Bounds(Place after, int endBucket, int rows) {
    /** For the rows that a statement passes over, from the first one on. */
    public int offset() {
      return rows - 1;
    }

    public Page toEnd() {
      Place end = Place.before(endBucket);
      return new Page(after, end, end, false);
    }
  }
}
