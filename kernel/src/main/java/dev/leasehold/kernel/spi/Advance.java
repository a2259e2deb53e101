package dev.leasehold.kernel.spi;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An operator's request for a higher incarnation.
 *
 * @param above the highest incarnation in any log, metric or target's mark, as the operator found
 * @param witness the highest incarnation that a witness outside the store has seen
 * @param holdOffMillis how long nothing is granted, 0 for not at all; empty: as long as a grant on
 *     record still runs, or the longest one that a witness saw could, at least 30 s
 * @param witnessedTtlMillis the longest ttl that a witness outside the store saw granted; 0 where
 *     none did
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

  /** Without what a witness knows of ttls. */
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

  /** What became of it. */
  public sealed interface Outcome {}

  /** Every grant has ended, and nothing is granted for the hold-off. */
  public record Advanced(int incarnation, long holdOffMillis) implements Outcome {}

  /** Nothing was changed, for this reason. */
  public record Refused(String why) implements Outcome {}
}
