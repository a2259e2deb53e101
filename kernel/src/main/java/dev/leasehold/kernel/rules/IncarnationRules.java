package dev.leasehold.kernel.rules;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Limits;
import java.time.Duration;

/**
 * Gives a store that may have lost writes tokens that outrank all that it ever issued. An operator
 * can safely run it again: the incarnation only grows.
 */
public final class IncarnationRules {
  private static final long MILLIS_OF_2025_01_01 = 1_735_689_600_000L;
  private static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  private static final int LAST_DAY = Token.MAX_INCARNATION / 2;

  private IncarnationRules() {}

  /** The outcome of an advance, and the incarnation that the store keeps from then on. */
  public record Advancing(Advance.Outcome outcome, StoreIncarnation storeIncarnation) {}

  /**
   * Decides an advance.
   *
   * @param remainingMillis the greatest of the records that survive, see {@link #remainingMillis};
   *     0 if there are none
   */
  public static Advancing advance(
      StoreIncarnation storeIncarnation, Advance request, long clockMillis, long remainingMillis) {
    if (request.above().isEmpty() && request.witness().isEmpty()) {
      return refused(
          storeIncarnation,
          "no witness tells how far this store had come: advance it with a witness folder from"
              + " before (--store URL --data DIR), or find the highest incarnation in any log,"
              + " metric or target's mark, and advance above it (--above N)");
    }
    int known = Math.max(request.above().orElse(0), request.witness().orElse(0));
    int higher = Math.max(Math.max(storeIncarnation.incarnation(), known) + 1, dayOf(clockMillis));
    if (higher > Token.MAX_INCARNATION) {
      return refused(
          storeIncarnation,
          "incarnation " + higher + " does not fit: the highest is " + Token.MAX_INCARNATION);
    }
    long longestMillis = Math.max(remainingMillis, request.witnessedTtlMillis());
    long holdOffMillis =
        request.holdOffMillis().orElse(Math.max(longestMillis, Limits.MIN_HOLD_OFF_MILLIS));
    // An earlier hold-off is not cut short by a second advance.
    long until = Math.max(storeIncarnation.heldOffUntilMillis(), clockMillis + holdOffMillis);
    return new Advancing(
        new Advance.Advanced(higher, until - clockMillis), new StoreIncarnation(higher, until));
  }

  /**
   * The first incarnation of a new store. If a witness knows an earlier store at this address, the
   * new one starts above it, and grants nothing while a holder may still trust a grant of the
   * earlier one.
   *
   * @param witnessed the highest incarnation of earlier stores; 0 if no witness knows any
   * @param witnessedTtlMillis the longest ttl that was seen granted there
   */
  public static StoreIncarnation founded(long clockMillis, int witnessed, long witnessedTtlMillis) {
    StoreIncarnation first = StoreIncarnation.first(clockMillis);
    if (witnessed == 0) {
      return first;
    }
    if (witnessed == Token.MAX_INCARNATION) {
      throw new IllFormedException(
          "no store can start above incarnation " + witnessed + ", which is the highest");
    }
    long holdOffMillis = Math.max(witnessedTtlMillis, Limits.MIN_HOLD_OFF_MILLIS);
    return new StoreIncarnation(
        Math.max(first.incarnation(), witnessed + 1), clockMillis + holdOffMillis);
  }

  /**
   * How long a holder may still trust this record: until its grant expires, if that has not ended,
   * or until a key opens that was closed because its revoked or stalled holder may still trust it.
   * A grant that was released or has expired needs no hold-off, however long its ttl was.
   */
  public static long remainingMillis(LeaseRecord record, long clockMillis) {
    long grant =
        record.currentGrant().map(current -> current.expiresAtMillis() - clockMillis).orElse(0L);
    long closure =
        record.closure().map(closed -> closed.remainingMillis(clockMillis).orElse(0)).orElse(0L);
    return Math.max(0, Math.max(grant, closure));
  }

  private static Advancing refused(StoreIncarnation storeIncarnation, String why) {
    return new Advancing(new Advance.Refused(why), storeIncarnation);
  }

  /**
   * The incarnation of a store that is created or advanced on this day: days since 2025-01-01. At
   * least 1, and at most half of all incarnations (reached in 2036), so that a clock that is wrong
   * by years leaves room to advance.
   */
  static int dayOf(long clockMillis) {
    long days = Math.floorDiv(clockMillis - MILLIS_OF_2025_01_01, DAY_MILLIS);
    return Math.clamp(days, 1, LAST_DAY);
  }
}
