package dev.leasehold.store.jdbc.health;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * A store's own state, as the rollback detector compares it.
 *
 * @param foundedAbove the highest incarnation that a witness knew when the store was created or its
 *     incarnation last advanced; 0 if none did
 * @param foundedOn the system identifier of the database at that time
 * @param heldOffMillis how long the store still grants nothing, after it was founded or advanced
 * @param newestSeen the chain's link at the height of the newest link seen before; empty if there
 *     is none
 * @param milestoneSeen the same for the milestone
 */
public record Facts(
    String storeId,
    int incarnation,
    int foundedAbove,
    String foundedOn,
    Position position,
    long heldOffMillis,
    Optional<String> newestSeen,
    Optional<String> milestoneSeen) {

  /** Reads everything in one statement, and looks up the links that were seen before. */
  public static Facts read(StoreConnection connection, Position before) throws SQLException {
    return connection.query(
        rows -> {
          if (!rows.next()) {
            throw new StoreUnusableException(
                "the store's own row is missing: run leasehold migrate on an empty schema, or"
                    + " restore it and run leasehold incarnation advance");
          }
          return new Facts(
              rows.getString(1),
              rows.getInt(2),
              rows.getInt(3),
              rows.getString(4),
              position(rows),
              Math.clamp(rows.getLong(8), 0, Limits.MAX_TTL_MILLIS),
              Optional.ofNullable(rows.getString(12)),
              Optional.ofNullable(rows.getString(13)));
        },
        "facts",
        Position.height(before.newest()),
        Position.height(before.milestone()));
  }

  private static Position position(ResultSet rows) throws SQLException {
    long height = rows.getLong(9);
    return new Position(
        rows.getLong(7),
        rows.getString(5),
        rows.getLong(6),
        Optional.ofNullable(rows.getString(10)).map(value -> new Link(height, value)),
        Optional.ofNullable(rows.getString(11))
            .map(value -> new Link(Chain.milestoneBelow(height), value)));
  }

  /** Whether the store was copied from another PostgreSQL, and not advanced since. */
  boolean isCopied() {
    return !foundedOn.equals(position.systemId());
  }

  /** Whether another server may have taken over since, or the store was advanced. */
  boolean isLaterThan(Witnessed before) {
    return incarnation > before.incarnation() || position.timeline() > before.position().timeline();
  }

  /**
   * The current state as testimony. A running hold-off may stand for grants with a ttl of that
   * length.
   */
  Witnessed witnessed() {
    return new Witnessed(incarnation, position, heldOffMillis, Map.of(), Optional.empty());
  }
}
