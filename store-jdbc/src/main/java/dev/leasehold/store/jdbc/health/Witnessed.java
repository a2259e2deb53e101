package dev.leasehold.store.jdbc.health;

import dev.leasehold.fence.LeaseKey;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was seen of a store, and so must still be in it.
 *
 * @param longestTtlMillis the longest that was seen granted in this incarnation
 * @param grants the last ones, the latest of all last
 * @param refused the refusal, if the store was found to have gone back and its incarnation is not
 *     higher since
 */
public record Witnessed(
    int incarnation,
    Position position,
    long longestTtlMillis,
    Map<LeaseKey, SeenGrant> grants,
    Optional<Refusal.LostWrites> refused) {
  static final int GRANTS_KEPT = 1_000;

  static final Witnessed NOTHING =
      new Witnessed(0, Position.NOTHING, 0, Map.of(), Optional.empty());

  public Witnessed {
    grants = Collections.unmodifiableMap(new LinkedHashMap<>(grants));
    refused = refused.filter(refusal -> refusal.incarnation() >= incarnation);
  }

  /**
   * The combination of both. Positions belong to an incarnation: once that is advanced, after a
   * restore, they start again, and earlier ones no longer count.
   */
  Witnessed and(Witnessed other) {
    if (other.incarnation < incarnation) {
      return with(position, longestTtlMillis, other);
    }
    if (other.incarnation > incarnation) {
      return new Witnessed(
          other.incarnation,
          other.position,
          other.longestTtlMillis,
          union(other.grants),
          later(refused, other.refused));
    }
    return with(
        position.and(other.position), Math.max(longestTtlMillis, other.longestTtlMillis), other);
  }

  private Witnessed with(Position newPosition, long newLongest, Witnessed other) {
    return new Witnessed(
        incarnation, newPosition, newLongest, union(other.grants), later(refused, other.refused));
  }

  /**
   * Adds what a process has seen to this content of the file. Links that others have written and
   * that the process has not found in the store are kept, because the process's higher link may
   * belong to another history.
   *
   * @param compared the file's position when the process last found it in the store
   */
  Witnessed continuedBy(Witnessed seen, Position compared) {
    boolean found = position.hasLinksOf(compared) || position.hasLinksOf(seen.position);
    boolean unlinked = position.newest().isEmpty() && position.milestone().isEmpty();
    return found || unlinked || seen.incarnation != incarnation
        ? and(seen)
        : and(
            new Witnessed(
                seen.incarnation, position, seen.longestTtlMillis, seen.grants, seen.refused));
  }

  Witnessed refusedBy(Refusal.LostWrites refusal) {
    return new Witnessed(
        incarnation, position, longestTtlMillis, grants, later(refused, Optional.of(refusal)));
  }

  /** The refusal with the higher incarnation, which lasts longer; the first if they are equal. */
  private static Optional<Refusal.LostWrites> later(
      Optional<Refusal.LostWrites> one, Optional<Refusal.LostWrites> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return other.get().incarnation() > one.get().incarnation() ? other : one;
  }

  private Map<LeaseKey, SeenGrant> union(Map<LeaseKey, SeenGrant> others) {
    LinkedHashMap<LeaseKey, SeenGrant> union = new LinkedHashMap<>(grants);
    others.forEach((key, grant) -> note(union, key, grant));
    return union;
  }

  /** Adds a grant as the latest, and drops the oldest if there are too many. */
  static void note(LinkedHashMap<LeaseKey, SeenGrant> grants, LeaseKey key, SeenGrant grant) {
    SeenGrant known = grants.remove(key);
    grants.put(key, known == null ? grant : known.and(grant));
    if (grants.size() > GRANTS_KEPT) {
      grants.pollFirstEntry();
    }
  }
}
