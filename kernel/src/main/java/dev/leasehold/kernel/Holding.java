package dev.leasehold.kernel;

import dev.leasehold.fence.Claim;
import java.time.Duration;

/**
 * Something that this process holds: a {@link Lease}, or what a block builds on one. A target that
 * checks at effect asks it for its claim, and for how long its holder may still trust it.
 */
public interface Holding {
  /** The claim to bring to a target: key, token and the id of this instance. */
  Claim claim();

  /** How long the holder may still trust it, computed now; zero when it may not. */
  Duration trust();

  /**
   * Throws if it is over, or if its trust has run out.
   *
   * @throws LeaseLostException with the reason
   */
  void ensureHeld();
}
