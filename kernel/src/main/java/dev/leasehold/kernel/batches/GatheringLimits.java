package dev.leasehold.kernel.batches;

import java.time.Duration;

/**
 * How much a {@link Gatherer} collects, sends and keeps.
 *
 * @param waitingBytes how much may wait to be sent; a call beyond it fails at once
 * @param timeout a call that is not answered within this time has failed
 */
public record GatheringLimits(Batch batch, Flight flight, long waitingBytes, Duration timeout) {
  /** The most commands and bytes of a batch, which has one command at least. */
  public record Batch(int commands, long bytes) {}

  /**
   * How many batches may be in flight. Beyond the free ones, a batch goes out only while few
   * commands are in flight, or if it is full: many small batches cost a busy store more than the
   * commands in them gain.
   *
   * @param free how many may be in flight, regardless of their size
   * @param usual the most batches in flight, without those that have been in flight for long
   * @param most the most batches in flight, including those
   * @param full how many commands make a batch beyond the free ones worth its statements
   * @param few below this number of commands in flight the store is not busy, and no call has to
   *     wait
   */
  public record Flight(int free, int usual, int most, int full, int few) {
    public static Flight of(int usual, int most) {
      return new Flight(usual, usual, most, 1, 0);
    }
  }

  /** For commands on leases, which are small. */
  public static GatheringLimits ofLeases(Duration timeout) {
    return new GatheringLimits(
        new Batch(1_000, Long.MAX_VALUE), new Flight(2, 4, 64, 32, 8), Long.MAX_VALUE, timeout);
  }
}
