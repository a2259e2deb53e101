package dev.leasehold.store.jdbc.connections;

import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schema of a store's tables, and the statements qualified with it. On PostgreSQL the schema is
 * determined once, from the search path of the first connection; other databases have none.
 */
public final class Namespace {
  /** The name of a store's object, unless it is part of another name or of a text. */
  private static final Pattern NAME = Pattern.compile("(?<![\\w.'\"])(leasehold_[a-z_]*[a-z])\\b");

  /** The name of a table as a text literal. */
  private static final Pattern TABLE_TEXT =
      Pattern.compile("(to_regclass\\()?'(leasehold_[a-z_]*[a-z])'(::regclass)?");

  private final Dialect dialect;
  private final Map<String, String> texts = new ConcurrentHashMap<>();
  private volatile Optional<String> schema = Optional.empty();

  public Namespace(Dialect dialect) {
    this.dialect = dialect;
  }

  public Dialect dialect() {
    return dialect;
  }

  /** The schema on PostgreSQL, once the first connection was opened. */
  Optional<String> schema() {
    return schema;
  }

  /** The text of a statement. */
  public String sql(String name) {
    String text = dialect.sql().get(name);
    Optional<String> known = schema;
    return known.isEmpty() ? text : texts.computeIfAbsent(name, n -> qualified(text, known.get()));
  }

  /** Determines the schema on this connection, unless it is already known. */
  void find(StoreConnection connection) throws SQLException {
    if (dialect.hasSearchPath() && schema.isEmpty()) {
      schema = Optional.of(look(connection));
    }
  }

  private static String look(StoreConnection connection) throws SQLException {
    return connection.inTransaction(
        s -> {
          s.unpin();
          return s.query(
              rows -> {
                String name = rows.next() ? rows.getString(1) : null;
                if (name == null) {
                  throw new StoreUnusableException(
                      "no schema of the search path ("
                          + rows.getString(2)
                          + ") exists: create it, or name another by currentSchema in the URL");
                }
                return name;
              },
              "namespace");
        });
  }

  /** {@code leasehold_lease} becomes {@code "public".leasehold_lease}. */
  static String qualified(String text, String schema) {
    String prefix = '"' + schema.replace("\"", "\"\"") + "\".";
    String names = NAME.matcher(text).replaceAll(Matcher.quoteReplacement(prefix) + "$1");
    return TABLE_TEXT
        .matcher(names)
        .replaceAll(
            found ->
                found.group(1) == null && found.group(3) == null
                    ? Matcher.quoteReplacement(found.group())
                    : Matcher.quoteReplacement(asTable(found, prefix)));
  }

  private static String asTable(MatchResult found, String prefix) {
    String call = found.group(1) == null ? "" : found.group(1);
    String cast = found.group(3) == null ? "" : found.group(3);
    return call + "'" + prefix.replace("'", "''") + found.group(2) + "'" + cast;
  }
}
