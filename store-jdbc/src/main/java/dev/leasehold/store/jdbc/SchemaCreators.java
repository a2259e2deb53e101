package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/**
 * Roles, apart from the owner and the store's own, that may create objects in the schema. They can
 * add functions and operators that the statements of other roles may call.
 *
 * @param schema empty where the database has no such rights
 */
public record SchemaCreators(String schema, List<String> roles) {
  public SchemaCreators {
    roles = List.copyOf(roles);
  }

  static SchemaCreators read(StoreConnection connection) throws SQLException {
    if (connection.schema().isEmpty()) {
      return new SchemaCreators("", List.of());
    }
    String schema = connection.schema().get();
    return new SchemaCreators(
        schema, connection.list(row -> row.getString(1), "schema-creators", schema));
  }
}
