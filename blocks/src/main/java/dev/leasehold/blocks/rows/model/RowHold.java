package dev.leasehold.blocks.rows.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import java.time.Duration;

/**
 * One time of holding a row, from its take to its end.
 *
 * @param token the number that the holder hands to its own targets; it never changes during a hold
 * @param purpose what the holder is doing, for people
 * @param lengthMillis how long the worker may be silent
 */
public record RowHold(
    Token token, Anchor anchor, Worker worker, String purpose, long lengthMillis) {
  /** A worker that is silent for longer is taken for dead, whatever it asked for. */
  public static final long MAX_LENGTH_MILLIS = Duration.ofHours(24).toMillis();

  public RowHold {
    if (lengthMillis <= 0 || lengthMillis > MAX_LENGTH_MILLIS) {
      throw new IllFormedException(
          "a row is held for 1 to " + MAX_LENGTH_MILLIS + " ms, not for " + lengthMillis);
    }
  }

  /** The same hold, under another anchor. */
  public RowHold under(Anchor other) {
    return new RowHold(token, other, worker, purpose, lengthMillis);
  }
}
