package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import java.util.Map;

/**
 * What a store says of itself.
 *
 * @param foundedOn the system identifier of the database when the store was made, or its
 *     incarnation last advanced
 */
record Facts(
    String storeId,
    int incarnation,
    String foundedOn,
    String systemId,
    long timeline,
    long walPosition) {

  static Facts read(Session session) throws SQLException {
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
              rows.getString(3),
              rows.getString(4),
              rows.getLong(5),
              rows.getLong(6));
        },
        "facts");
  }

  Witnessed witnessed() {
    return new Witnessed(incarnation, walPosition, systemId, timeline, Map.of());
  }
}
