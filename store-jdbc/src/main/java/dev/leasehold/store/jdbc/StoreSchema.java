package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Address;
import dev.leasehold.store.jdbc.health.AddressFile;
import dev.leasehold.store.jdbc.opening.Founding;
import dev.leasehold.store.jdbc.opening.Migrations;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.status.SchemaState;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The schema of a store: prints, inspects and applies it. */
public final class StoreSchema {
  /** A step may rewrite large tables, or wait for another process that is migrating. */
  private static final Duration LONGEST_MIGRATION = Duration.ofMinutes(10);

  private final Dialect dialect;
  private final Connector connector;
  private final Optional<Path> dataFolder;

  /** With the folder of witness files, if any: a new store starts above what they record. */
  StoreSchema(Dialect dialect, Connector connector, Optional<Path> dataFolder) {
    this.dialect = dialect;
    this.connector = connector;
    this.dataFolder = dataFolder;
  }

  /** The state of the schema in the database. */
  public SchemaState state() {
    return Opening.within(this::stateNow);
  }

  SchemaState stateNow() throws SQLException {
    try (StoreConnection connection = connector.connect()) {
      connection.autoCommit(true);
      return new Migrations(dialect).state(connection);
    }
  }

  /**
   * Creates or upgrades the schema if necessary; safe when many processes do so together.
   *
   * @return the names of the steps that were applied; empty if there was nothing to do
   */
  public List<String> apply() {
    return Opening.within(LONGEST_MIGRATION, this::applyNow);
  }

  /** What is known of the store that was at this address before, if there was one. */
  private Founding founding() throws SQLException {
    if (dataFolder.isEmpty()) {
      return Founding.UNWITNESSED;
    }
    try (StoreConnection connection = connector.connect()) {
      return new AddressFile(dataFolder.get(), Address.of(connection))
          .read()
          .map(served -> new Founding(served.incarnation(), served.longestTtlMillis()))
          .orElse(Founding.UNWITNESSED);
    }
  }

  private List<String> applyNow() throws SQLException {
    if (stateNow() instanceof SchemaState.Current) {
      return List.of();
    }
    Migrations migrations = new Migrations(dialect, founding());
    Attempts attempts = new Attempts(new ConnectionSource.Pooled(connector), new Backoff());
    return attempts.run(
        connection ->
            dialect.hasOneWriter()
                ? immediately(connection, migrations::apply)
                : onServer(connection, migrations));
  }

  private List<String> onServer(StoreConnection connection, Migrations migrations)
      throws SQLException {
    connection.allowSilence();
    if (dialect.migratesInTransaction()) {
      return connection.inTransaction(migrations::apply);
    }
    // Each step can be repeated: a process that was interrupted, or collided with another, starts
    // again.
    connection.autoCommit(true);
    return migrations.apply(connection);
  }

  /** One writer: takes the write lock at the beginning, even before there is a schema. */
  static <T> T immediately(StoreConnection connection, ConnectionWork<T> work) throws SQLException {
    connection.autoCommit(true);
    connection.update("begin");
    boolean committed = false;
    try {
      T result = work.run(connection);
      connection.update("commit");
      committed = true;
      return result;
    } finally {
      if (!committed) {
        connection.rollBack(s -> s.update("rollback"));
      }
    }
  }
}
