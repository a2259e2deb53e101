package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.IllFormedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The databases that can keep marks. A dialect is a list of folders of statements; the first folder
 * with a name wins, and {@code @{name}} in a statement stands for another.
 */
enum MarkDialect {
  SQLITE("sqlite", "shared"),
  POSTGRESQL("postgresql", "shared");

  private static final Pattern INCLUDE = Pattern.compile("@\\{([a-z-]+)}");

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> folders;

  @SuppressWarnings("ImmutableEnumChecker") // a cache of resources that never change
  private final Map<String, String> texts = new ConcurrentHashMap<>();

  MarkDialect(String... folders) {
    this.folders = List.of(folders);
  }

  /** CockroachDB speaks PostgreSQL's protocol, and its driver takes it for one. */
  static MarkDialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    if (product.equals("SQLite")) {
      return SQLITE;
    }
    if (!product.equals("PostgreSQL")) {
      throw new IllFormedException(
          "marks can live in SQLite, PostgreSQL and CockroachDB, not in " + product);
    }
    return POSTGRESQL;
  }

  String sql(String name) {
    String known = texts.get(name);
    if (known != null) {
      return known;
    }
    String text = load(name);
    texts.put(name, text);
    return text;
  }

  /** The statements of a script, which end with a semicolon at the end of a line. */
  List<String> script(String name) {
    return Arrays.stream(sql(name).split(";\\s*(\\n|$)"))
        .map(String::strip)
        .filter(text -> !text.isEmpty())
        .toList();
  }

  private String load(String name) {
    String text =
        folders.stream()
            .map(folder -> resource(folder + "/" + name + ".sql"))
            .flatMap(Optional::stream)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("no statement " + name + " in " + folders))
            .strip();
    return INCLUDE
        .matcher(text)
        .replaceAll(include -> Matcher.quoteReplacement(sql(include.group(1))));
  }

  private static Optional<String> resource(String path) {
    try (InputStream in = MarkDialect.class.getResourceAsStream(path)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
