package dev.leasehold.store.jdbc.health;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;

/**
 * What a store says of itself.
 *
 * @param foundedAbove the highest incarnation that a witness had told of when the store was made or
 *     its incarnation last advanced; 0 where none had
 * @param foundedOn the system identifier of the database then
 * @param heldOffMillis how long nothing is granted yet, after it was founded or advanced
 * @param newestSeen what the chain has where the newest link was seen before; empty where nothing
 *     is
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

  /** Reads all in one statement. The links that were seen before are looked up. */
  public static Facts read(Session session, Position before) throws SQLException {
    return session.query(
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

  /** Whether it came here from another PostgreSQL, and was not advanced since. */
  boolean isCopied() {
    return !foundedOn.equals(position.systemId());
  }

  /** Whether another server may have taken over, or the store was advanced, since that was seen. */
  boolean isLaterThan(Witnessed before) {
    return incarnation > before.incarnation() || position.timeline() > before.position().timeline();
  }

  /** What a hold-off waits for may last as long as a ttl that was granted in this incarnation. */
  Witnessed witnessed() {
    return new Witnessed(incarnation, position, heldOffMillis, Map.of(), Optional.empty());
  }
}
