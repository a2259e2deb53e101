package dev.leasehold.store.jdbc.housekeeping;

/**
 * A part of a table that is tidied in one transaction.
 *
 * @param after where it begins, exclusively
 * @param last its last row, or the end of its buckets
 * @param next where the next page begins; further on if nothing in between can be removed yet
 * @param full whether it ended at the limit of rows, and not at the limit of buckets
 */
public record Page(Place after, Place last, Place next, boolean full) {
  public static Page upTo(Place after, Place last) {
    return new Page(after, last, last, true);
  }

  /** The limits of a page: a number of rows, in the buckets below the end. */
  public record Bounds(Place after, int endBucket, int rows) {
    /** The offset of the page's last row, for a statement that skips rows. */
    public int offset() {
      return rows - 1;
    }

    public Page toEnd() {
      Place end = Place.before(endBucket);
      return new Page(after, end, end, false);
    }
  }
}
