package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.Address;
import dev.leasehold.store.jdbc.health.AddressFile;
import dev.leasehold.store.jdbc.health.HealthLoop;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.health.WitnessFile;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

/**
 * What two processes with one folder record about a store, step by step: a fact that one has seen
 * must not be lost because the other has seen more, of another history.
 */
class SharedWitnessTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");

  @TempDir Path folder;

  private String storeId = "";

  @BeforeEach
  void make() {
    try (JdbcStore store = JdbcStore.at("sqlite:" + file()).migrate().open()) {
      storeId = TestCommands.get(store.diagnostics().identity()).storeId();
    }
  }

  private Path file() {
    return folder.resolve("leases.db");
  }

  private StoreConnection connect() throws SQLException {
    return connect(file());
  }

  private static StoreConnection connect(Path database) throws SQLException {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + database);
    return new Connector(source, Dialect.SQLITE).connect();
  }

  private WitnessFile witnessFile() {
    return new WitnessFile(folder.resolve("data"), storeId);
  }

  /** The rollback detector of one process. */
  private RollbackDetector detector(StoreConnection connection) throws SQLException {
    AddressFile address = new AddressFile(folder.resolve("data"), Address.of(connection));
    RollbackDetector detector =
        new RollbackDetector(
            Dialect.SQLITE,
            storeId,
            Optional.of(new RollbackDetector.WitnessFiles(witnessFile(), address, false)));
    detector.readFile();
    detector.checkAll(connection);
    detector.open();
    detector.keep();
    return detector;
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  private void link(long height, String value) throws SQLException {
    execute("INSERT INTO leasehold_chain VALUES (" + height + ", '" + value + "', 1, 0)");
  }

  /** The store goes back to its first link and continues from there, past the lost one. */
  private void goOnWithoutTheSecondLink() throws SQLException {
    execute("DELETE FROM leasehold_chain WHERE height > 1");
    link(2, "other");
    link(3, "other");
  }

  @Test
  void a_process_that_writes_late_still_knows_what_it_has_seen() throws SQLException {
    link(1, "first");
    try (StoreConnection connection = connect()) {
      RollbackDetector late = detector(connection);
      RollbackDetector other = detector(connection);
      link(2, "lost");
      late.checkPosition(connection);
      // The process pauses before it writes.
      goOnWithoutTheSecondLink();
      other.checkPosition(connection);
      other.writeFile();
      late.writeFile();
      late.checkPosition(connection);
      assertThat(late.refusal().orElseThrow()).contains("link 2 of the chain");
      other.checkPosition(connection);
      assertThat(other.refusal().orElseThrow()).contains("link 2 of the chain");
    }
  }

  @Test
  void what_a_process_that_has_died_has_written_is_compared_by_the_others() throws SQLException {
    link(1, "first");
    try (StoreConnection connection = connect()) {
      RollbackDetector dying = detector(connection);
      RollbackDetector other = detector(connection);
      link(2, "lost");
      dying.checkPosition(connection);
      dying.writeFile();
      goOnWithoutTheSecondLink();
      other.checkPosition(connection);
      assertThat(other.refusal().orElseThrow()).contains("link 2 of the chain");
    }
  }

  /** A process that is killed a moment later knows of the refusal when it starts again. */
  @Test
  void a_refusal_is_written_when_it_is_found() throws SQLException {
    link(1, "first");
    try (StoreConnection connection = connect()) {
      RollbackDetector detector = detector(connection);
      detector.writeFile();
      execute("DELETE FROM leasehold_chain");
      assertThatThrownBy(() -> detector.require(connection))
          .isInstanceOf(RollbackDetector.RolledBack.class);
    }
    assertThat(witnessFile().read().orElseThrow().refused()).isPresent();
  }

  /** The database may come back without the last grant, and the process may end before that. */
  @Test
  void what_was_granted_is_written_while_the_database_is_away() throws SQLException {
    try (StoreConnection connection = connect()) {
      RollbackDetector detector = detector(connection);
      try (JdbcStore store = JdbcStore.at("sqlite:" + file()).open()) {
        Command acquire = TestCommands.acquiring(KEY);
        Outcome granted = TestCommands.outcome(store.leases(), acquire);
        detector.saw(List.of(acquire), List.of(granted));
      }
      new HealthLoop(new Away(), detector).close();
    }
    assertThat(witnessFile().read().orElseThrow().grants()).containsKey(KEY);
  }

  /** The old server still runs, and the process is connected to both. */
  @Test
  void a_connection_to_what_was_followed_by_an_advanced_copy_is_looked_at_again()
      throws SQLException, IOException {
    Path copy = Files.copy(file(), folder.resolve("copy.db"));
    try (JdbcStore store = JdbcStore.at("sqlite:" + copy).open()) {
      assertThat(TestCommands.get(store.leases().advance(Advance.above(5_000))))
          .isInstanceOf(Advance.Advanced.class);
    }
    try (StoreConnection old = connect();
        StoreConnection advanced = connect(copy)) {
      RollbackDetector detector = detector(old);
      detector.require(old);
      detector.require(advanced);
      assertThatThrownBy(() -> detector.require(old))
          .isInstanceOf(RollbackDetector.RolledBack.class)
          .hasMessageContaining("seen before: 5001");
    }
  }

  /** The process still remembers what it has seen; a new process without the files is refused. */
  @Test
  void files_that_become_unreadable_stop_no_process_that_is_open()
      throws SQLException, IOException {
    try (StoreConnection connection = connect();
        StoreConnection next = connect()) {
      RollbackDetector detector = detector(connection);
      detector.writeFile();
      try (var files = Files.list(folder.resolve("data/witness"))) {
        for (Path file : files.toList()) {
          Files.writeString(file, "");
        }
      }
      detector.require(next);
      assertThat(detector.refusal()).isEmpty();
      assertThat(detector.witness()).isInstanceOf(WitnessState.Failing.class);
      Files.delete(folder.resolve("data/witness").resolve(storeId));
      assertThatThrownBy(() -> detector(connection)).hasMessageContaining("witness file");
    }
  }

  private static final class Away implements ConnectionSource {
    @Override
    public <T> T use(ConnectionWork<T> work) throws SQLException {
      throw new SQLException("the database is away");
    }

    @Override
    public void close() {}
  }

  @Test
  void a_folder_that_cannot_be_written_to_is_told() throws IOException {
    Path data = Files.createDirectories(folder.resolve("data"));
    Files.writeString(data.resolve("witness"), "no folder");
    try (JdbcStore store = JdbcStore.at("sqlite:" + file()).witness(data).open()) {
      assertThat(store.diagnostics().witness())
          .isInstanceOfSatisfying(
              WitnessState.Failing.class,
              failing -> assertThat(failing.why()).contains("cannot be written"));
      Files.delete(data.resolve("witness"));
      while (!(store.diagnostics().witness() instanceof WitnessState.Begun)) {
        Thread.onSpinWait();
      }
    }
  }
}
