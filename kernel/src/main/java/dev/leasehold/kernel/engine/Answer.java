package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.Outcome;

/**
 * What a command came to, and when the attempt that was answered was sent: that is where trust is
 * counted from, never from the reply.
 */
public record Answer(Outcome outcome, long sentNanos) {
  /** Who wants to know. */
  @FunctionalInterface
  public interface Taker {
    void take(Answer answer);
  }
}
