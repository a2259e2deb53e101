package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.time.Instant;
import java.util.Optional;

/**
 * What the trail beside the marks remembers: a claim that was refused, or a mark that was reset.
 *
 * @param brought the token that was refused
 * @param current what it was measured against, or where the mark stood that was reset
 * @param who who brought the token, or the operator
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
  /** What happened. */
  public enum What {
    STALE,
    UNISSUED,
    RESET
  }
}
