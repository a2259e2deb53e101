package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The triggers on a table of a SQLite file, which has no dynamic SQL: their text is made here. */
final class SqliteGuard {
  private final StoreConnection connection;
  private final String table;

  SqliteGuard(StoreConnection connection, String table) {
    this.connection = connection;
    this.table = table;
  }

  void install(Guard guard) throws SQLException {
    if (guard.maintenanceRole().isPresent()) {
      throw new IllFormedException(
          "SQLite has no roles: for maintenance, remove the guard and install it again");
    }
    if (table.startsWith("leasehold_")) {
      throw new IllFormedException(table + " is a table of the store itself");
    }
    if (isGuarded()) {
      if (!connection.list(Guards::guard, "guards").contains(guard)) {
        throw new IllFormedException(
            "table " + table + " is guarded already, in another way: remove that guard first");
      }
      // Installed again, because a trigger of it may be missing.
      remove();
    }
    requireColumn(guard.column());
    connection.update("insert-guard", table, orNull(guard.column()), orNull(guard.fixedKey()));
    Optional<String> literal = guard.fixedKey().map(key -> "'" + key.replace("'", "''") + "'");
    String column = guard.column().map(SqliteGuard::quoted).orElse("");
    Map<String, String> words =
        Map.of(
            "<check of old>", check(literal.orElse("OLD." + column)),
            "<check of new>", check(literal.orElse("NEW." + column)));
    for (String name : List.of("guard-insert", "guard-update", "guard-delete")) {
      execute(filled(name, words));
    }
  }

  private static @Nullable String orNull(Optional<String> text) {
    return text.orElse(null);
  }

  private boolean isGuarded() throws SQLException {
    return connection.number("is-guarded", table) > 0;
  }

  private void requireColumn(Optional<String> column) throws SQLException {
    Map<String, String> types = new TreeMap<>();
    connection.each(
        row -> types.put(row.getString(1), row.getString(2).toUpperCase(Locale.ROOT)),
        "guard-columns",
        table);
    if (types.isEmpty()) {
      throw new IllFormedException("there is no table " + table);
    }
    if (column.isEmpty()) {
      return;
    }
    String type = types.get(column.get());
    if (type == null) {
      throw new IllFormedException("table " + table + " has no column " + column.get());
    }
    if (!type.contains("TEXT") && !type.contains("CHAR")) {
      throw new IllFormedException(
          "column "
              + column.get()
              + " of table "
              + table
              + " is of type "
              + type
              + ": keys are text, written kind/name");
    }
  }

  private String check(String key) {
    return connection.dialect().sql().get("guard-check").replace("<key>", key);
  }

  private String filled(String name, Map<String, String> words) {
    String text =
        connection
            .dialect()
            .sql()
            .get(name)
            .replace("<table>", quoted(table))
            .replace("<insert trigger>", quoted("leasehold_guard_insert_" + table))
            .replace("<update trigger>", quoted("leasehold_guard_update_" + table))
            .replace("<delete trigger>", quoted("leasehold_guard_delete_" + table));
    for (Map.Entry<String, String> word : words.entrySet()) {
      text = text.replace(word.getKey(), word.getValue());
    }
    return text;
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement()) {
      statement.execute(sql);
    }
  }

  void remove() throws SQLException {
    if (!isGuarded()) {
      throw new IllFormedException("no guard stands before a table " + table);
    }
    for (String name : List.of("drop-insert-guard", "drop-update-guard", "drop-delete-guard")) {
      execute(filled(name, Map.of()));
    }
    connection.update("delete-guard", table);
  }
}
