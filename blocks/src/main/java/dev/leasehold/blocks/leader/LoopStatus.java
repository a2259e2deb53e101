package dev.leasehold.blocks.leader;

import java.util.Optional;

/**
 * How a loop fares, for people.
 *
 * @param failures since the election was started
 */
public record LoopStatus(
    String name, Activity activity, long failures, Optional<String> lastFailure) {
  /** What it is doing. */
  public enum Activity {
    /** Not begun: this replica does not lead, or it was stopped. */
    IDLE,
    RUNNING,
    /** Waits for its next run. */
    RESTING,
    /** Waits after a failure. */
    BACKING_OFF,
    /** Came to its end in this term. */
    DONE
  }
}
