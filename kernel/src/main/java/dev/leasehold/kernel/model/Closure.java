package dev.leasehold.kernel.model;

import java.util.OptionalLong;

/**
 * The state of a key that no instance can acquire for a while.
 *
 * @param untilMillis store time when it opens by itself; empty: when an operator reopens it
 */
public record Closure(String reason, OptionalLong untilMillis) {
  public boolean isInForce(long nowMillis) {
    return untilMillis.isEmpty() || nowMillis < untilMillis.getAsLong();
  }

  public OptionalLong remainingMillis(long nowMillis) {
    return untilMillis.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(0, untilMillis.getAsLong() - nowMillis));
  }
}
