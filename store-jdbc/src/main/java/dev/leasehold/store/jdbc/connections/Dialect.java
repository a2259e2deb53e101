package dev.leasehold.store.jdbc.connections;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;

/** The databases that leases can live on, and where their statements are. */
public enum Dialect {
  SQLITE(new Sql("sqlite", "shared"), Limits.SINGLE_NODE),
  POSTGRESQL(new Sql("postgresql", "shared"), Limits.SINGLE_NODE),
  /** Its clocks may be apart by the cluster's maximum offset, 500 ms unless it was changed. */
  COCKROACHDB(
      new Sql("cockroachdb", "postgresql", "shared"),
      new Limits(500, Limits.MIN_MEMORY_MILLIS, Limits.SINGLE_NODE.endingsKept()));

  @SuppressWarnings("ImmutableEnumChecker") // a cache of resources that never change
  private final Sql sql;

  @SuppressWarnings("ImmutableEnumChecker") // a record of numbers, but its type cannot say so
  private final Limits limits;

  Dialect(Sql sql, Limits limits) {
    this.sql = sql;
    this.limits = limits;
  }

  public Sql sql() {
    return sql;
  }

  public Limits limits() {
    return limits;
  }

  public String folder() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Dialect ofUrl(String url) {
    if (url.startsWith("sqlite:") || url.startsWith("jdbc:sqlite:")) {
      return SQLITE;
    }
    if (url.startsWith("jdbc:postgresql:")) {
      return POSTGRESQL;
    }
    if (url.startsWith("jdbc:cockroachdb:")) {
      return COCKROACHDB;
    }
    throw new IllFormedException(
        "no store is known by this URL: it must start with sqlite:, jdbc:postgresql: or"
            + " jdbc:cockroachdb:, or on the command line be memory:"
            + meant(url));
  }

  /** What people write elsewhere. The URL is not repeated: it may have a password in it. */
  private static String meant(String url) {
    if (url.startsWith("postgres:") || url.startsWith("postgresql:")) {
      return "; for PostgreSQL write jdbc:postgresql://HOST/DATABASE?user=NAME&password=SECRET";
    }
    if (url.startsWith("cockroachdb:")) {
      return "; for CockroachDB write jdbc:cockroachdb://HOST/DATABASE?user=NAME&password=SECRET";
    }
    return url.matches("[A-Za-z][A-Za-z0-9+.-]+:.*") ? "" : "; for a file write sqlite:PATH";
  }

  /** CockroachDB speaks PostgreSQL's protocol and says who it is when asked. */
  public static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    if (product.equals("SQLite")) {
      return SQLITE;
    }
    if (!product.equals("PostgreSQL")) {
      throw new IllFormedException(
          "leases can live on SQLite, PostgreSQL and CockroachDB, not on " + product);
    }
    try (var statement = connection.createStatement();
        var row = statement.executeQuery("SELECT pg_catalog.version()")) {
      return row.next() && row.getString(1).startsWith("CockroachDB") ? COCKROACHDB : POSTGRESQL;
    }
  }

  /** What is to be added to the class path. */
  public String driverArtifact() {
    return this == SQLITE ? "org.xerial:sqlite-jdbc" : "org.postgresql:postgresql";
  }

  /** What the driver is to be given. */
  public String jdbcUrl(String url) {
    return switch (this) {
      case SQLITE -> url.startsWith("jdbc:") ? url : "jdbc:" + url;
      case POSTGRESQL -> url;
      case COCKROACHDB -> "jdbc:postgresql:" + url.substring("jdbc:cockroachdb:".length());
    };
  }
}
