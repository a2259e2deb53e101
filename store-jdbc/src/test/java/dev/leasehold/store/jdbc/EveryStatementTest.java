package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Sql;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every statement names tables, columns and functions that the migrated schema has. A statement
 * that the engine refuses may otherwise go unseen, where another way answers in its place.
 */
class EveryStatementTest {
  private static final String SCHEMA = "leasehold_every_statement";

  /** A place that is filled with a name or a fragment before the statement is sent. */
  private static final Pattern BLANK = Pattern.compile("<[a-z ]+>");

  private static final Set<String> FRAGMENTS = Set.of("current-fragment");
  private static final Pattern INCLUDE = Pattern.compile("@\\{([a-z-]+)");

  @Test
  void postgresUnderstandsEachStatement() throws SQLException {
    String url = PostgresServer.url() + "&currentSchema=" + SCHEMA;
    try (Connection connection = DriverManager.getConnection(PostgresServer.url());
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA IF NOT EXISTS " + SCHEMA);
    }
    JdbcStore.at(url).migrate().open().close();
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(refused(connection, Dialect.POSTGRESQL, List.of("postgresql", "shared")))
          .isEmpty();
    }
  }

  @Test
  void sqliteUnderstandsEachStatement(@TempDir Path folder) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("leases.db");
    JdbcStore.at(url).migrate().open().close();
    try (Connection connection = DriverManager.getConnection(url)) {
      assertThat(refused(connection, Dialect.SQLITE, List.of("sqlite", "shared"))).isEmpty();
    }
  }

  private static Map<String, String> refused(
      Connection connection, Dialect dialect, List<String> folders) {
    Map<String, String> refused = new TreeMap<>();
    for (String name : whole(folders)) {
      String text = dialect.sql().get(name);
      if (BLANK.matcher(text).find()) {
        continue;
      }
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        // Only this asks PostgreSQL about a statement that is not run.
        statement.getParameterMetaData();
      } catch (SQLException e) {
        refused.put(name, String.valueOf(e.getMessage()));
      }
    }
    return refused;
  }

  /** The names of the statements that are not parts of others. */
  private static Set<String> whole(List<String> folders) {
    Set<String> names = new TreeSet<>();
    Set<String> parts = new TreeSet<>();
    for (String folder : folders) {
      for (Path file : files(folder)) {
        names.add(file.getFileName().toString().replace(".sql", ""));
        Matcher include = INCLUDE.matcher(read(file));
        while (include.find()) {
          parts.add(include.group(1));
        }
      }
    }
    names.removeAll(parts);
    names.removeAll(FRAGMENTS);
    return names;
  }

  private static List<Path> files(String folder) {
    try (Stream<Path> files =
        Files.list(
            Path.of(Objects.requireNonNull(Sql.class.getResource(Sql.ROOT + folder)).toURI()))) {
      return files.filter(file -> file.toString().endsWith(".sql")).toList();
    } catch (IOException | URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
