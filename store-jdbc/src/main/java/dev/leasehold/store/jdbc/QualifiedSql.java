package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The statements that run on users' connections. Such a connection keeps its own search_path, which
 * must decide nothing: {@code <schema>} in a statement stands for the schema of the leases.
 */
final class QualifiedSql {
  private static final String SCHEMA = "<schema>";

  private final Dialect dialect;
  private final String schema;
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  private QualifiedSql(Dialect dialect, String schema) {
    this.dialect = dialect;
    this.schema = schema;
  }

  /** Of the store that this connection of ours leads to. */
  static QualifiedSql of(Connector connector, Dialect dialect) throws SQLException {
    try (Session session = connector.connect()) {
      session.autoCommit(true);
      return new QualifiedSql(
          dialect, session.query(rows -> rows.next() ? rows.getString(1) : "", "home"));
    }
  }

  Dialect dialect() {
    return dialect;
  }

  String get(String name) {
    String known = texts.get(name);
    if (known != null) {
      return known;
    }
    String text = dialect.sql().get(name).replace(SCHEMA, schema);
    texts.put(name, text);
    return text;
  }
}
