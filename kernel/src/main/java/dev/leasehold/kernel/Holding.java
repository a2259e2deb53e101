package dev.leasehold.kernel;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * What this process holds: a {@link Lease}, or what a block makes of one. A target that checks at
 * effect asks it what to compare, and how long its holder may still trust it.
 */
public interface Holding {
  /** What to bring to a target: key, token and the id of this instance. */
  Claim claim();

  /** How long it may still be trusted, computed now; zero when it may not. */
  Duration trust();

  /**
   * Refuses to go on with what is over, or whose trust has run out.
   *
   * @throws LeaseLostException with the reason
   */
  void ensureHeld();
}
