package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
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

/** The schema of a store: to be printed, looked at and applied. */
public final class StoreSchema {
  /** A step may rewrite large tables, or wait for another process that is at it. */
  private static final Duration LONGEST_MIGRATION = Duration.ofMinutes(10);

  private final Dialect dialect;
  private final Connector connector;
  private final Optional<Path> dataFolder;

  /** With the folder of witness files, if one is kept: a new store starts above what they tell. */
  StoreSchema(Dialect dialect, Connector connector, Optional<Path> dataFolder) {
    this.dialect = dialect;
    this.connector = connector;
    this.dataFolder = dataFolder;
  }

  /** Where it stands in the database. */
  public SchemaState state() {
    return Opening.within(this::stateNow);
  }

  SchemaState stateNow() throws SQLException {
    try (Session session = connector.connect()) {
      session.autoCommit(true);
      return new Migrations(dialect).state(session);
    }
  }

  /**
   * Creates or upgrades it, if need be; safe when many processes do so together.
   *
   * @return the names of the steps that were applied, none if there was nothing to do
   */
  public List<String> apply() {
    return Opening.within(LONGEST_MIGRATION, this::applyNow);
  }

  /** What is known of the store that was served here before, if there was one. */
  private Founding founding() throws SQLException {
    if (dataFolder.isEmpty()) {
      return Founding.UNWITNESSED;
    }
    try (Session session = connector.connect()) {
      return new AddressFile(dataFolder.get(), Address.of(session))
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
    Attempts attempts = new Attempts(new Sessions.Pooled(connector), new Backoff());
    return attempts.run(
        session ->
            switch (dialect) {
              case SQLITE -> immediately(session, migrations::apply);
              case POSTGRESQL -> {
                session.allowSilence();
                yield session.inTransaction(migrations::apply);
              }
              case COCKROACHDB -> {
                session.allowSilence();
                // It cannot change a schema and use it in one transaction; each step can be
                // repeated, so whoever is interrupted, or meets another, begins again.
                session.autoCommit(true);
                yield migrations.apply(session);
              }
            });
  }

  /** SQLite: with the write lock from the beginning, before there is a schema to take it on. */
  static <T> T immediately(Session session, Work<T> work) throws SQLException {
    session.autoCommit(true);
    session.update("begin");
    boolean committed = false;
    try {
      T result = work.run(session);
      session.update("commit");
      committed = true;
      return result;
    } finally {
      if (!committed) {
        session.rollBack(s -> s.update("rollback"));
      }
    }
  }
}
