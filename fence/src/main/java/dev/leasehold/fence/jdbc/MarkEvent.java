package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.time.Instant;
import java.util.Optional;

/**
 * An entry of the trail: a claim that was refused, or a mark that was reset.
 *
 * @param brought the token that was refused
 * @param current what it was compared with, or the mark before the reset
 * @param who the holder that brought the token, or the operator
 * @param why the operator's reason; empty for a refusal
 * @param at by the clock of the target's database
 */
public record MarkEvent(
    LeaseKey key,
    What what,
    Optional<Token> brought,
    Optional<Token> current,
    String who,
    String why,
    Instant at) {
  /** The kind of event. */
  public enum What {
    STALE,
    UNISSUED,
    RESET
  }
}
