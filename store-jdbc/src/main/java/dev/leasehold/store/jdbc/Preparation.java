package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Address;
import dev.leasehold.store.jdbc.health.AddressFile;
import dev.leasehold.store.jdbc.health.Facts;
import dev.leasehold.store.jdbc.health.Position;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.health.WitnessFile;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Checks a database, its schema and its history before a store is opened. */
final class Preparation {
  private final Connector connector;
  private final Dialect dialect;
  private final How how;

  Preparation(Connector connector, Dialect dialect, How how) {
    this.connector = connector;
    this.dialect = dialect;
    this.how = how;
  }

  /** The settings of the builder. */
  record How(boolean migrating, boolean evenIfRolledBack, Optional<Path> dataFolder) {}

  /**
   * @throws StoreUnusableException whose message says what to do
   */
  RollbackDetector run() {
    StoreSchema schema = new StoreSchema(dialect, connector, how.dataFolder());
    SchemaState state =
        Opening.within(
            () -> {
              try (StoreConnection connection = connector.connect()) {
                connection.autoCommit(true);
                dialect.requireSafe(connection);
              }
              return schema.stateNow();
            });
    if (how.migrating() && !(state instanceof SchemaState.Current)) {
      List<String> unused = schema.apply();
    }
    return Opening.within(() -> watched(schema));
  }

  private RollbackDetector watched(StoreSchema schema) throws SQLException {
    Opening.requireSchema(schema.stateNow());
    try (StoreConnection connection = connector.connect()) {
      connection.autoCommit(true);
      String storeId = Facts.read(connection, Position.NOTHING).storeId();
      RollbackDetector detector =
          new RollbackDetector(dialect, storeId, witnessFiles(connection, storeId));
      detector.readFile();
      detector.checkAll(connection);
      if (detector.refusal().isPresent()) {
        detector.writeFile();
        if (!how.evenIfRolledBack()) {
          throw new StoreUnusableException(detector.refusal().get());
        }
      }
      detector.open();
      if (!how.evenIfRolledBack()) {
        // Before the first grant: if the data is lost later, the witness must know what this store
        // was.
        detector.keep();
        detector.writeFile();
      }
      return detector;
    }
  }

  private Optional<RollbackDetector.WitnessFiles> witnessFiles(
      StoreConnection connection, String storeId) throws SQLException {
    if (how.dataFolder().isEmpty()) {
      return Optional.empty();
    }
    Path folder = how.dataFolder().get();
    boolean together =
        dialect.isFile() && Address.file(connection).startsWith(Address.real(folder));
    return Optional.of(
        new RollbackDetector.WitnessFiles(
            new WitnessFile(folder, storeId),
            new AddressFile(folder, Address.of(connection)),
            together));
  }
}
