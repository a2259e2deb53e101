package dev.leasehold.store.jdbc.opening;

import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Sql;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schema, step by step. Steps are numbered, never changed once released, and additive for one
 * minor release, so that replicas of two versions can share a database for a while.
 */
public final class Migrations {
  private static final List<Migration> ALL =
      List.of(
          new Migration(1, "0001-leases", 1),
          new Migration(2, "0002-guards", 1),
          new Migration(3, "0003-ledger", 1),
          new Migration(4, "0004-objects", 1),
          new Migration(5, "0005-api-keys", 1),
          new Migration(6, "0006-marks", 1),
          new Migration(7, "0007-chain", 1),
          new Migration(8, "0008-floors", 1),
          new Migration(9, "0009-grants-at-effect", 1),
          new Migration(10, "0010-pinned-paths", 1),
          new Migration(11, "0011-housekeeping", 1),
          new Migration(12, "0012-exact-types", 1),
          new Migration(13, "0013-anchors", 1));

  /** The delimiter of a function's body. */
  private static final Pattern QUOTE = Pattern.compile("\\$[a-z]+\\$");

  /** The minor release that this code belongs to. */
  private static final int MINOR = 1;

  private final Dialect dialect;
  private final Founding founding;

  private record Migration(int version, String name, int minor) {}

  public Migrations(Dialect dialect) {
    this(dialect, Founding.UNWITNESSED);
  }

  public Migrations(Dialect dialect, Founding founding) {
    this.dialect = dialect;
    this.founding = founding;
  }

  /** The statements, for people. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (Migration migration : ALL) {
      text.append("-- ").append(migration.name()).append('\n').append(load(migration)).append('\n');
    }
    return text.toString();
  }

  /** The names of the steps after this version. */
  static List<String> after(int version) {
    return ALL.stream().filter(step -> step.version() > version).map(Migration::name).toList();
  }

  private String load(Migration migration) {
    String path = "migrations/" + dialect.folder() + "/" + migration.name() + ".sql";
    return Sql.resource(path).orElseThrow(() -> new IllegalStateException("no resource " + path));
  }

  public SchemaState state(StoreConnection connection) throws SQLException {
    if (!exists(connection)) {
      return new SchemaState.Missing();
    }
    return connection.query(
        rows -> {
          if (!rows.next()) {
            return new SchemaState.Missing();
          }
          int version = rows.getInt(1);
          int minor = rows.getInt(2);
          if (minor > MINOR + 1) {
            return new SchemaState.TooNew(minor);
          }
          return version < ALL.getLast().version()
              ? new SchemaState.Behind(version)
              : new SchemaState.Current();
        },
        "schema-version");
  }

  private static boolean exists(StoreConnection connection) throws SQLException {
    return connection.number("schema-exists") > 0;
  }

  /** Applies the missing steps, in the caller's transaction; returns their names. */
  public List<String> apply(StoreConnection connection) throws SQLException {
    boolean unused = connection.query(rows -> rows.next(), "lock-schema");
    connection.update("create-schema-table");
    int version =
        switch (state(connection)) {
          case SchemaState.Missing missing -> 0;
          case SchemaState.Behind behind -> behind.version();
          case SchemaState.Current current -> ALL.getLast().version();
          case SchemaState.TooNew tooNew -> Integer.MAX_VALUE;
        };
    List<String> applied = new ArrayList<>();
    Optional<String> founded = Optional.empty();
    for (Migration migration : ALL) {
      if (migration.version() > version) {
        connection.createInSchema();
        run(connection, load(migration));
        connection.pin();
        if (migration.equals(ALL.getFirst())) {
          founded = Optional.of(foundStore(connection));
        }
        // This comes last: on a database where the steps are not one transaction, an interrupted
        // process starts again.
        connection.update(
            "insert-schema-version", migration.version(), migration.name(), migration.minor());
        applied.add(migration.name());
      }
    }
    if (founded.isPresent()) {
      // Only for the store that this process has founded, since another may have been first. If
      // this statement is not reached, a process that knows an earlier store refuses this one until
      // it is advanced.
      connection.update("record-founding", founding.above(), founded.get());
    }
    return applied;
  }

  private static void run(StoreConnection connection, String script) throws SQLException {
    try (Statement statement = connection.jdbc().createStatement()) {
      for (String text : statements(script)) {
        statement.execute(text);
      }
    }
  }

  /**
   * Splits a script into statements, which end with a semicolon at the end of a line, outside the
   * body of a function.
   */
  static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    Optional<String> quote = Optional.empty();
    for (String line : script.lines().toList()) {
      statement.append(line).append('\n');
      Matcher matcher = QUOTE.matcher(line);
      while (matcher.find()) {
        if (quote.isEmpty()) {
          quote = Optional.of(matcher.group());
        } else if (quote.get().equals(matcher.group())) {
          quote = Optional.empty();
        }
      }
      boolean comment = line.strip().startsWith("--");
      if (quote.isEmpty() && !comment && line.stripTrailing().endsWith(";")) {
        statements.add(statement.toString().strip());
        statement.setLength(0);
      }
    }
    return statements;
  }

  /**
   * Creates the store's own row and the floors of its buckets, unless another process has.
   *
   * @return the id of the store, unless another process was first
   */
  private String foundStore(StoreConnection connection) throws SQLException {
    StoreIncarnation first =
        IncarnationRules.founded(
            connection.number("clock"), founding.above(), founding.longestTtlMillis());
    Identity identity = Identity.read(connection);
    String storeId = UUID.randomUUID().toString();
    connection.update(
        "insert-store",
        storeId,
        first.incarnation(),
        first.heldOffUntilMillis(),
        identity.systemId(),
        identity.timeline());
    int incarnation = connection.first(row -> row.getInt(2), "store").orElse(0);
    connection.update(
        "insert-floors", Buckets.COUNT - 1, new StoreIncarnation(incarnation, 0).floor().value());
    return storeId;
  }
}
