package dev.leasehold.fence;

import java.time.Instant;
import java.util.Optional;

/** One claim that a fence has refused, and when. */
public record Refusal(String target, Claim claim, Admission.Refused answer, Instant at) {
  public LeaseKey key() {
    return claim.key();
  }

  /** The token that was refused. */
  public Token brought() {
    return claim.token();
  }

  /** What it was compared with: see {@link Admission.Refused#bound()}. */
  public Optional<Token> current() {
    return answer.bound();
  }

  public String who() {
    return claim.who();
  }
}
