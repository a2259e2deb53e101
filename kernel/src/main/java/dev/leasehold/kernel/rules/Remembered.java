package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;

/**
 * A command that changed something. The store remembers it, so that a repeat gets the same answer
 * and changes nothing: acquired, abandoned, released, handed over, revoked or reopened. The verb
 * implies the outcome.
 *
 * @param token the token in the outcome; for a verb whose outcome has none, the record's token at
 *     that time
 * @param atMillis store time when it took effect
 */
public record Remembered(Request request, Token token, long atMillis) {
  /** One request of one caller. */
  public record Request(RequestId requestId, Caller caller, Verb verb) {}

  /** The kind of command. */
  public enum Verb {
    ACQUIRE,
    ABANDON,
    RELEASE,
    HAND_OVER,
    REVOKE,
    REOPEN
  }
}
