package dev.leasehold.store.jdbc.connections;

/**
 * Along which schemas a session's statements find operators and functions. On PostgreSQL a role
 * that may create in a schema of the path can put an operator there which matches the operands of a
 * statement better than the built-in one, and so decide what the statement means. So the store's
 * statements look in {@code pg_catalog} alone, and name the schema of their tables.
 */
public enum SearchPath {
  /** The connection is the store's own, and was pinned when it was opened. */
  PINNED,
  /**
   * The connection is the application's, or others' statements run on it too: each statement pins
   * the path for its transaction, in the same round trip, and there is nothing to undo.
   */
  PINNED_BY_STATEMENT,
  /** Nobody can put an operator before a built-in one there. */
  AS_IT_IS;

  public static SearchPath of(Dialect dialect, boolean own) {
    if (dialect != Dialect.POSTGRESQL) {
      return AS_IT_IS;
    }
    return own ? PINNED : PINNED_BY_STATEMENT;
  }
}
