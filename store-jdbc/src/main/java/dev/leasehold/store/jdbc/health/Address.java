package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Where a store is served, as far as a witness tells places apart; never who logs in there. */
public final class Address {
  private static final String OF_FILES = "jdbc:sqlite:";
  private static final Pattern HOSTS = Pattern.compile("jdbc:postgresql://([^/?]*).*");
  private static final String OWN_HOST = "localhost";
  private static final String DEFAULT_PORT = ":5432";

  private Address() {}

  public static String of(Session session) throws SQLException {
    Connection connection = session.connection();
    return session.dialect() == Dialect.SQLITE
        ? "sqlite " + file(connection)
        : session.dialect().folder()
            + " "
            + hosts(connection.getMetaData().getURL())
            + "/"
            + connection.getCatalog()
            + " schema "
            + schema(session);
  }

  /** Where the store's tables are, which is not where a pinned connection looks first. */
  private static String schema(Session session) throws SQLException {
    Optional<String> found = session.schema();
    return found.isPresent() ? found.get() : session.connection().getSchema();
  }

  /** The file of a SQLite database, whichever links lead there. */
  public static Path file(Connection connection) throws SQLException {
    return real(named(connection));
  }

  /** The same as the URL names it. */
  static Path named(Connection connection) throws SQLException {
    String url = connection.getMetaData().getURL();
    String name = url.substring(OF_FILES.length()).replaceFirst("^file:", "").split("[?]", 2)[0];
    return Path.of(name).toAbsolutePath();
  }

  /** Where a path leads, by whatever links. */
  public static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** In one order and spelling, however the URL names them. */
  public static String hosts(String url) {
    Matcher matcher = HOSTS.matcher(url);
    String named = matcher.matches() ? matcher.group(1) : "";
    return Arrays.stream(named.split(",", -1))
        .map(host -> host.substring(host.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT))
        .map(host -> host.isEmpty() ? OWN_HOST : host)
        .map(host -> host.matches(".*:[0-9]+") ? host : host + DEFAULT_PORT)
        .sorted()
        .collect(Collectors.joining(","));
  }
}
