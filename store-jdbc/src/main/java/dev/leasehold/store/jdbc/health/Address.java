package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.StoreConnection;
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

/**
 * The address of a store, by which a witness recognises it. It does not depend on the user that
 * logs in.
 */
public final class Address {
  private static final Pattern HOSTS = Pattern.compile("jdbc:postgresql://([^/?]*).*");
  private static final String OWN_HOST = "localhost";
  private static final String DEFAULT_PORT = ":5432";

  private Address() {}

  public static String of(StoreConnection connection) throws SQLException {
    Connection jdbc = connection.jdbc();
    return connection.dialect().isFile()
        ? connection.dialect().folder() + " " + file(connection)
        : connection.dialect().folder()
            + " "
            + hosts(jdbc.getMetaData().getURL())
            + "/"
            + jdbc.getCatalog()
            + " schema "
            + schema(connection);
  }

  /**
   * The schema of the store's tables. It is not the first one in the path of a pinned connection.
   */
  private static String schema(StoreConnection connection) throws SQLException {
    Optional<String> found = connection.schema();
    return found.isPresent() ? found.get() : connection.jdbc().getSchema();
  }

  /** The file of a store, whichever links lead there. */
  public static Path file(StoreConnection connection) throws SQLException {
    return real(named(connection));
  }

  /** The same as the URL names it. */
  static Path named(StoreConnection connection) throws SQLException {
    String url = connection.jdbc().getMetaData().getURL();
    return connection.dialect().file(url).orElseThrow().toAbsolutePath();
  }

  /** The path with links resolved. */
  public static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      return path.toAbsolutePath().normalize();
    }
  }

  /** The hosts of a URL, in a canonical order and spelling. */
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
