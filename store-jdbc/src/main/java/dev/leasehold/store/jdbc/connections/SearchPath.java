package dev.leasehold.store.jdbc.connections;

/**
 * How the search path of a connection is pinned. On PostgreSQL, a role that may create objects in a
 * schema of the path can put an operator there that matches a statement's operands better than the
 * built-in one, and so change the meaning of the statement. So the store's statements search {@code
 * pg_catalog} alone, and name the schema of their tables.
 */
public enum SearchPath {
  /** The connection is the store's own, and was pinned when it was opened. */
  PINNED,
  /**
   * The connection belongs to the application, or users' statements run on it too: each statement
   * pins the path for its own transaction, in the same round trip, so there is nothing to undo.
   */
  PINNED_BY_STATEMENT,
  /** The database has no operators that users could replace. */
  AS_IT_IS;

  public static SearchPath of(Dialect dialect, boolean own) {
    if (!dialect.hasSearchPath()) {
      return AS_IT_IS;
    }
    return own ? PINNED : PINNED_BY_STATEMENT;
  }
}
