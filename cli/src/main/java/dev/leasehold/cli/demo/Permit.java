package dev.leasehold.cli.demo;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * What a holder has in hand when it goes to write.
 *
 * @param trust how long its lease was good for when it last looked, and found it good
 * @param midway told by accounts that are tables how far the write has come
 */
record Permit(Claim claim, Duration trust, Midway midway) {
  /** Where a writer may be stopped. */
  interface Midway {
    void at(Pause.Step step);
  }
}
