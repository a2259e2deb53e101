package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was seen of a store, and so must still be there.
 *
 * @param walPosition of PostgreSQL, as a number of bytes; 0 elsewhere
 * @param systemId of PostgreSQL; empty elsewhere
 * @param timeline of PostgreSQL; 0 elsewhere
 * @param grants the last ones, the latest of all last
 */
record Witnessed(
    int incarnation,
    long walPosition,
    String systemId,
    long timeline,
    Map<LeaseKey, Token> grants) {
  static final int GRANTS_KEPT = 1_000;

  static final Witnessed NOTHING = new Witnessed(0, 0, "", 0, Map.of());

  Witnessed {
    grants = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(grants));
  }

  /**
   * What two have seen together. Positions belong to an incarnation: once that is advanced, after a
   * restore, they begin anew, and those from before no longer count.
   */
  Witnessed and(Witnessed other) {
    if (other.incarnation < incarnation) {
      return other.and(this).with(union(other.grants));
    }
    boolean sameEra = other.incarnation == incarnation;
    return new Witnessed(
        other.incarnation,
        sameEra ? Math.max(walPosition, other.walPosition) : other.walPosition,
        other.systemId.isEmpty() && sameEra ? systemId : other.systemId,
        sameEra ? Math.max(timeline, other.timeline) : other.timeline,
        union(other.grants));
  }

  private Witnessed with(Map<LeaseKey, Token> newGrants) {
    return new Witnessed(incarnation, walPosition, systemId, timeline, newGrants);
  }

  private Map<LeaseKey, Token> union(Map<LeaseKey, Token> others) {
    LinkedHashMap<LeaseKey, Token> union = new LinkedHashMap<>(grants);
    others.forEach((key, token) -> note(union, key, token));
    return union;
  }

  /** Adds a grant as the latest, and drops the oldest where there are too many. */
  static void note(LinkedHashMap<LeaseKey, Token> grants, LeaseKey key, Token token) {
    Token known = grants.remove(key);
    grants.put(key, known != null && known.compareTo(token) > 0 ? known : token);
    if (grants.size() > GRANTS_KEPT) {
      grants.pollFirstEntry();
    }
  }
}
