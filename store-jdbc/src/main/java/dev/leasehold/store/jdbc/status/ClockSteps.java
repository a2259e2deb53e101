package dev.leasehold.store.jdbc.status;

import java.time.Duration;
import java.util.Optional;

/**
 * How often the store's clock has stepped, compared with this process's, since the store was
 * opened.
 *
 * @param last the latest step
 */
public record ClockSteps(long count, Optional<Step> last) {
  /**
   * One step.
   *
   * @param millis the least size of the step: positive if the store's clock jumped ahead, negative
   *     if it fell back
   * @param ago how long ago it was noticed
   */
  public record Step(long millis, Duration ago) {}
}
