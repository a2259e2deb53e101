package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Roles other than the owner and the store's own that may create in the schema. They can put
 * functions and operators there that others' statements may call.
 *
 * @param schema empty where there are no such rights
 */
public record SchemaCreators(String schema, List<String> roles) {
  public SchemaCreators {
    roles = List.copyOf(roles);
  }

  static SchemaCreators read(Session session) throws SQLException {
    if (session.schema().isEmpty()) {
      return new SchemaCreators("", List.of());
    }
    String schema = session.schema().get();
    return session.query(
        rows -> {
          List<String> roles = new ArrayList<>();
          while (rows.next()) {
            roles.add(rows.getString(1));
          }
          return new SchemaCreators(schema, roles);
        },
        "schema-creators",
        schema);
  }
}
