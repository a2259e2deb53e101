package dev.leasehold.cli.demo;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * What a holder has when it begins to write.
 *
 * @param trust how long its lease was still trusted when it last checked it
 * @param midway tells accounts that are tables how far the write has come
 */
public record Permit(Claim claim, Duration trust, Midway midway) {
  /** A point at which a writer may be stopped. */
  public interface Midway {
    void at(Pause.Step step);
  }
}
