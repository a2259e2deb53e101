package dev.leasehold.store.jdbc;

import java.sql.SQLException;
import java.util.List;

/** The schema of a store: to be printed, looked at and applied. */
public final class StoreSchema {
  private final Dialect dialect;
  private final Connector connector;

  StoreSchema(Dialect dialect, Connector connector) {
    this.dialect = dialect;
    this.connector = connector;
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
    return Opening.within(this::applyNow);
  }

  List<String> applyNow() throws SQLException {
    Migrations migrations = new Migrations(dialect);
    if (stateNow() instanceof SchemaState.Current) {
      return List.of();
    }
    Attempts attempts = new Attempts(new Sessions.Pooled(connector), new Backoff());
    return attempts.run(
        session ->
            switch (dialect) {
              case SQLITE -> SqliteEngine.immediately(session, migrations::apply);
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
}
