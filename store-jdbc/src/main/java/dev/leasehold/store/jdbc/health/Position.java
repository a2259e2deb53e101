package dev.leasehold.store.jdbc.health;

import java.util.Optional;

/**
 * The position of a store within one incarnation.
 *
 * @param walPosition of PostgreSQL, as a number of flushed bytes; 0 elsewhere
 * @param systemId of PostgreSQL; empty elsewhere
 * @param timeline of PostgreSQL; 0 elsewhere
 * @param newest the newest link of the chain
 * @param milestone the newest link that the store keeps for longer
 */
public record Position(
    long walPosition,
    String systemId,
    long timeline,
    Optional<Link> newest,
    Optional<Link> milestone) {
  public static final Position NOTHING = new Position(0, "", 0, Optional.empty(), Optional.empty());

  /** The maximum of both. */
  Position and(Position other) {
    return new Position(
        Math.max(walPosition, other.walPosition),
        other.systemId.isEmpty() ? systemId : other.systemId,
        Math.max(timeline, other.timeline),
        higher(newest, other.newest),
        higher(milestone, other.milestone));
  }

  /**
   * If both have a value at one height, the first is kept; if they differ, the store will
   * contradict one of them.
   */
  private static Optional<Link> higher(Optional<Link> one, Optional<Link> other) {
    return height(other) > height(one) ? other : one;
  }

  /** Whether both have the same links of the chain. */
  boolean hasLinksOf(Position other) {
    return newest.equals(other.newest) && milestone.equals(other.milestone);
  }

  /** The height; 0 if there is no link, since the first has height 1. */
  static long height(Optional<Link> link) {
    return link.map(Link::height).orElse(0L);
  }
}
