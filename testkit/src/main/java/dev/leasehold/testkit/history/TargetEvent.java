package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;

/**
 * What a target did with a token.
 *
 * @param position the order of commits at this target for this key
 * @param nanos when the target's answer was seen, on the ticker that all processes share
 */
public record TargetEvent(
    String target, LeaseKey key, Token token, long position, long nanos, Action action)
    implements Event, Evidence {

  /** What it did. */
  public sealed interface Action {}

  /** Let the token in; from now on nothing lower may come. */
  public record Admitted() implements Action {}

  /** Was told of the token by a successor, who changes nothing yet. */
  public record Sealed() implements Action {}

  /** A change took effect under the token. */
  public record Changed() implements Action {}

  /**
   * A change took effect in the lease's own store, in one transaction with the check that the grant
   * is current.
   *
   * @param afterSequence the key's latest log entry when it committed, 0 where there was none
   */
  public record ChangedAtEffect(long afterSequence) implements Action {}

  /** Turned away; nothing was changed. */
  public record Refused() implements Action {}
}
