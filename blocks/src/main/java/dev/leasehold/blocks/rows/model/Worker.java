package dev.leasehold.blocks.rows.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.InstanceId;

/**
 * The process that works on a row, in one run of it: the first 63 bits of its instance id. The
 * token says which hold of the row is meant, and this whose it is.
 */
public record Worker(long number) {
  private static final int DIGITS = 16;

  public Worker {
    if (number < 0) {
      throw new IllFormedException("a worker's number is not negative, as " + number + " is");
    }
  }

  public static Worker of(InstanceId instanceId) {
    return new Worker(Long.parseUnsignedLong(instanceId.text(), 0, DIGITS, 16) >>> 1);
  }
}
