package dev.leasehold.store.jdbc.status;

import java.time.Duration;
import java.util.Optional;

/**
 * How often the store's clock has stepped against this process's, since the store was opened.
 *
 * @param last the latest of them
 */
public record ClockSteps(long count, Optional<Step> last) {
  /**
   * One step.
   *
   * @param millis how far at least: positive if the store's clock ran ahead, negative if it fell
   *     back
   * @param ago how long ago it was noticed
   */
  public record Step(long millis, Duration ago) {}
}
