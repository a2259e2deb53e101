package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An operator's request for a higher incarnation.
 *
 * @param above the highest incarnation that the operator has found in logs, metrics or targets'
 *     marks
 * @param witness the highest incarnation that a witness outside the store has seen
 * @param holdOffMillis how long the store grants nothing, 0 for no hold-off; empty: as long as a
 *     recorded grant still runs, or as the longest ttl that a witness has seen, and at least 30 s
 * @param witnessedTtlMillis the longest ttl that a witness outside the store has seen granted; 0 if
 *     it has seen none
 */
public record Advance(
    OptionalInt above, OptionalInt witness, OptionalLong holdOffMillis, long witnessedTtlMillis) {
  public Advance {
    requireIncarnation("above", above);
    requireIncarnation("witness", witness);
    if (holdOffMillis.orElse(0) < 0 || holdOffMillis.orElse(0) > Limits.MAX_TTL_MILLIS) {
      throw new IllFormedException("a hold-off is from 0 ms to 24 h, as long as a ttl can be");
    }
    if (witnessedTtlMillis < 0 || witnessedTtlMillis > Limits.MAX_TTL_MILLIS) {
      throw new IllFormedException("a witnessed ttl is from 0 ms to 24 h");
    }
  }

  /** An advance for which no witness knows a ttl. */
  public Advance(OptionalInt above, OptionalInt witness, OptionalLong holdOffMillis) {
    this(above, witness, holdOffMillis, 0);
  }

  private static void requireIncarnation(String what, OptionalInt incarnation) {
    if (incarnation.orElse(0) < 0 || incarnation.orElse(0) > Token.MAX_INCARNATION) {
      throw new IllFormedException(
          what + " is an incarnation, from 0 to " + Token.MAX_INCARNATION + ", not a token");
    }
  }

  public static Advance above(int incarnation) {
    return new Advance(OptionalInt.of(incarnation), OptionalInt.empty(), OptionalLong.empty());
  }

  /** The outcome of an advance. */
  public sealed interface Outcome {}

  /** Every grant has ended, and the store grants nothing during the hold-off. */
  public record Advanced(int incarnation, long holdOffMillis) implements Outcome {}

  /** Nothing has changed, for this reason. */
  public record Refused(String why) implements Outcome {}
}
