package dev.leasehold.blocks.rows.table;

import dev.leasehold.fence.IllFormedException;

/**
 * A row that a worker holds, as this server has it in memory.
 *
 * @param place which row it is
 * @param token the number of the hold
 * @param worker the number of the worker that has it
 * @param lengthMillis how long the row stays with its worker after a heartbeat
 * @param deadlineMillis when the row may be taken from its worker, on the caller's monotonic clock
 */
public record TableEntry<K>(
    K place, long token, long worker, long lengthMillis, long deadlineMillis) {
  /** The longest that a lease may be: almost 25 days. */
  public static final long LONGEST_MILLIS = Integer.MAX_VALUE;

  public TableEntry {
    requireLength(lengthMillis);
  }

  static void requireLength(long lengthMillis) {
    if (lengthMillis < 1 || lengthMillis > LONGEST_MILLIS) {
      throw new IllFormedException(
          "the length of a row lease is %d ms; it must be from 1 to %d"
              .formatted(lengthMillis, LONGEST_MILLIS));
    }
  }
}
