package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;

/**
 * A command that changed something, so that its repetition can be told instead of done: acquired,
 * abandoned, released, handed over, revoked or reopened. The verb implies the outcome.
 *
 * @param token the token in the outcome; for verbs that give none, the record's at that time
 * @param atMillis store time when it took effect
 */
public record Remembered(Request request, Token token, long atMillis) {
  /** One request of one caller. */
  public record Request(RequestId requestId, Caller caller, Verb verb) {}

  /** What was asked for. */
  public enum Verb {
    ACQUIRE,
    ABANDON,
    RELEASE,
    HAND_OVER,
    REVOKE,
    REOPEN
  }
}
