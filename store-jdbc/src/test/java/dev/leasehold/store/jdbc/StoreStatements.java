package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Sql;
import dev.leasehold.store.jdbc.interleaving.Statements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** The store's statements on PostgreSQL by their names, with edits of some of them. */
final class StoreStatements implements Statements {
  private static final int LONGEST_NAME = 60;
  private static final Map<String, String> NAMES = names();

  private final Map<String, UnaryOperator<String>> edits;

  private StoreStatements(Map<String, UnaryOperator<String>> edits) {
    this.edits = Map.copyOf(edits);
  }

  static StoreStatements asTheyAre() {
    return new StoreStatements(Map.of());
  }

  /**
   * With one statement edited, as its sender would find it.
   *
   * @param find must be in the statement, with its includes, and is replaced everywhere
   */
  static StoreStatements edited(String name, String find, String replacement) {
    String text = Dialect.POSTGRESQL.sql().get(name);
    if (!text.contains(find)) {
      throw new AssertionError(
          "'" + find + "' is not in " + name + ".sql any more: adapt the edit\n" + text);
    }
    return new StoreStatements(Map.of(name, sql -> sql.replace(find, replacement)));
  }

  private static Map<String, String> names() {
    Map<String, String> names = new HashMap<>();
    for (String folder : List.of("shared", "postgresql")) {
      try (Stream<Path> files = Files.list(folder(folder))) {
        files
            .map(file -> file.getFileName().toString().replace(".sql", ""))
            .forEach(name -> names.put(Dialect.POSTGRESQL.sql().get(name), name));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return names;
  }

  private static Path folder(String name) {
    try {
      return Path.of(Objects.requireNonNull(Sql.class.getResource(Sql.ROOT + name)).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String nameOf(String sql) {
    String name = NAMES.get(sql);
    if (name != null) {
      return name;
    }
    String line = sql.strip().replaceAll("\\s+", " ");
    return line.substring(0, Math.min(LONGEST_NAME, line.length()));
  }

  @Override
  public String rewrite(String sql) {
    String sent = sql;
    for (Map.Entry<String, UnaryOperator<String>> edit : edits.entrySet()) {
      // A fragment is part of a user's statement.
      String original = Dialect.POSTGRESQL.sql().get(edit.getKey());
      boolean inside = sql.equals(original) || edit.getKey().endsWith("fragment");
      sent = inside ? sent.replace(original, edit.getValue().apply(original)) : sent;
    }
    return sent;
  }
}
