package dev.leasehold.blocks.leader;

import java.util.Optional;

/**
 * The state of a loop, for people.
 *
 * @param failures since the election was started
 */
public record LoopStatus(
    String name, Activity activity, long failures, Optional<String> lastFailure) {
  /** What it is doing. */
  public enum Activity {
    /** Does not run: this replica does not lead, or the loop was stopped. */
    IDLE,
    RUNNING,
    /** Waits for its next run. */
    RESTING,
    /** Waits after a failure. */
    BACKING_OFF,
    /** Has returned, and does not run again in this term. */
    DONE
  }
}
