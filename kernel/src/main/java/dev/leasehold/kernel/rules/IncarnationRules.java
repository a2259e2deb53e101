package dev.leasehold.kernel.rules;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;

/**
 * How a store that may have lost writes gets tokens that outrank all it ever issued. Running it
 * again is safe: it only goes higher.
 */
public final class IncarnationRules {
  private static final long MILLIS_OF_2025_01_01 = 1_735_689_600_000L;
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private IncarnationRules() {}

  /** What an advance comes to, and the era that the store keeps from then on. */
  public record Advancing(Advance.Outcome outcome, Era era) {}

  /**
   * Decides an advance.
   *
   * @param greatestSpanMillis of the grants on the records that survive; 0 where there are none
   */
  public static Advancing advance(
      Era era, Advance request, long clockMillis, long greatestSpanMillis) {
    if (request.above().isEmpty() && request.witness().isEmpty()) {
      return refused(
          era,
          "no witness tells how far this store had come: find the highest incarnation in any log,"
              + " metric or target's mark, and advance above it");
    }
    int known = Math.max(request.above().orElse(0), request.witness().orElse(0));
    long higher = Math.max(Math.max(era.incarnation(), known) + 1L, dayOf(clockMillis));
    if (higher > Token.MAX_INCARNATION) {
      return refused(
          era, "incarnation " + higher + " does not fit: the highest is " + Token.MAX_INCARNATION);
    }
    long holdOffMillis =
        request.holdOffMillis().orElse(Math.max(greatestSpanMillis, Limits.MIN_HOLD_OFF_MILLIS));
    // An earlier hold-off is not cut short by a second advance.
    long until = Math.max(era.heldOffUntilMillis(), clockMillis + holdOffMillis);
    return new Advancing(
        new Advance.Advanced((int) higher, until - clockMillis), new Era((int) higher, until));
  }

  private static Advancing refused(Era era, String why) {
    return new Advancing(new Advance.Refused(why), era);
  }

  /** Days since 2025-01-01, at least 1: what a store made or advanced on that day starts from. */
  static long dayOf(long clockMillis) {
    return Math.max(1, Math.floorDiv(clockMillis - MILLIS_OF_2025_01_01, DAY_MILLIS));
  }
}
