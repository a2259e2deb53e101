package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that has lost writes, as seen by a process that remembers them, or by a file. */
class PostgresRolledBackTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final Advance ADVANCE =
      new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(0));

  @TempDir Path folder;

  @AutoClose private final Schema schema = new Schema();

  private JdbcStoreBuilder store() {
    return schema.store().witness(folder).migrate();
  }

  /** The connections must end, as they do when a database is restored. */
  private void loseTheLastGrant() throws SQLException {
    schema.execute("UPDATE leasehold_lease SET last_token = last_token - 1, grant_token = NULL");
    schema.killConnections();
  }

  @Test
  void an_open_store_refuses_on_its_next_connection_and_recovers_by_an_advance()
      throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      Token lost = TestCommands.acquireAndRelease(store.leases(), KEY);
      loseTheLastGrant();
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.detail()).contains("leasehold incarnation advance"));
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Advanced.class);
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(lost);
    }
  }

  /** No process has noticed the loss, but the advancing one remembers a holder with trust. */
  @Test
  void an_advance_waits_for_the_longest_ttl_that_its_own_process_saw_granted() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      Terms terms = Terms.of("ann", Duration.ofHours(10));
      TestCommands.outcome(
          store.leases(), Command.Acquire.of(KEY, TestCommands.ANN, RequestId.random(), terms));
      loseTheLastGrant();
      assertThat(TestCommands.get(store.leases().advance(Advance.above(0))))
          .isInstanceOfSatisfying(
              Advance.Advanced.class,
              advanced ->
                  assertThat(advanced.holdOffMillis()).isEqualTo(Duration.ofHours(10).toMillis()));
    }
  }

  /** A row that is missing of one key must not be attributed to another key. */
  @Test
  void floors_that_were_deleted_by_hand_are_missing_where_there_is_no_record() throws SQLException {
    LeaseKey other = new LeaseKey("lock/other");
    try (JdbcStore store = store().open()) {
      TestCommands.acquireAndRelease(store.leases(), KEY);
      TestCommands.acquireAndRelease(store.leases(), other);
    }
    schema.execute("DELETE FROM leasehold_floor WHERE bucket = " + Buckets.of(KEY));
    store().open().close();
    schema.execute(
        "BEGIN; DELETE FROM leasehold_lease WHERE key = 'lock/other'; DELETE FROM leasehold_floor"
            + " WHERE bucket = "
            + Buckets.of(other)
            + "; COMMIT");
    assertThatThrownBy(() -> store().open()).hasMessageContaining("last token of lock/other 0");
  }

  /** No file records it: the process itself must not forget. */
  @Test
  void an_open_store_goes_on_refusing_when_the_numbers_have_passed() throws SQLException {
    try (JdbcStore store = schema.store().migrate().open()) {
      TestCommands.acquireAndRelease(store.leases(), KEY);
      loseTheLastGrant();
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOf(Outcome.Failed.class);
      schema.execute("UPDATE leasehold_lease SET last_token = last_token + 5");
      schema.killConnections();
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.detail()).contains("leasehold incarnation advance"));
    }
  }

  /** The row that names another server stays, and so does the refusal. */
  @Test
  void an_advance_that_is_refused_changes_nothing() throws SQLException {
    schema.store().migrate().open().close();
    schema.execute("UPDATE leasehold_store SET system_id = '1'");
    Advance impossible = Advance.above(Token.MAX_INCARNATION);
    try (JdbcStore store = schema.store().evenIfRolledBack().open()) {
      assertThat(TestCommands.get(store.leases().advance(impossible)))
          .isInstanceOf(Advance.Refused.class);
      assertThat(schema.value("SELECT system_id FROM leasehold_store")).isEqualTo("1");
    }
  }

  /** A dump that was restored elsewhere shows its own state, but not what has happened since. */
  @Test
  void a_process_that_merely_sees_that_a_store_was_copied_here_is_no_witness_for_an_advance()
      throws SQLException {
    schema.store().migrate().open().close();
    schema.execute("UPDATE leasehold_store SET system_id = '1'");
    for (int i = 0; i < 2; i++) {
      try (JdbcStore store = store().evenIfRolledBack().open()) {
        assertThat(store.diagnostics().refusal()).isPresent();
        assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
            .isInstanceOf(Advance.Refused.class);
      }
    }
    try (JdbcStore store = store().evenIfRolledBack().open()) {
      assertThat(TestCommands.get(store.leases().advance(Advance.above(5_000))))
          .isInstanceOf(Advance.Advanced.class);
    }
  }

  /** The folder records how far another store had come, but nothing of the new one. */
  @Test
  void what_was_served_here_before_says_nothing_of_a_store_that_was_copied_here()
      throws SQLException {
    store().open().close();
    schema.execute(
        "UPDATE leasehold_store SET store_id = '00000000-0000-4000-8000-000000000001',"
            + " system_id = '1'");
    try (JdbcStore store = store().evenIfRolledBack().open()) {
      assertThat(store.diagnostics().refusal().orElseThrow()).contains("emptied or replaced");
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Refused.class);
      assertThat(TestCommands.get(store.leases().advance(Advance.above(5_000))))
          .isInstanceOf(Advance.Advanced.class);
    }
  }

  @Test
  void a_purged_key_is_not_missing_as_long_as_its_floor_is_there() throws SQLException {
    try (JdbcStore store = store().open()) {
      Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
      schema.execute("UPDATE leasehold_floor SET token = " + token.value());
      schema.execute("DELETE FROM leasehold_lease");
      schema.killConnections();
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(token);
    }
    store().open().close();
  }

  @Test
  void a_lower_position_another_system_and_a_lower_timeline_are_refused()
      throws SQLException, IOException {
    try (JdbcStore store = store().open()) {
      TestCommands.acquireAndRelease(store.leases(), KEY);
    }
    Path file =
        folder.resolve("witness").resolve(schema.value("SELECT store_id FROM leasehold_store"));
    String sound = Files.readString(file);
    assertThat(sound).containsPattern("wal [1-9]").containsPattern("system [1-9]");
    refuses(file, sound.replaceFirst("wal .*", "wal " + Long.MAX_VALUE), "WAL position");
    refuses(file, sound.replaceFirst("system .*", "system 1"), "another PostgreSQL");
    refuses(file, sound.replaceFirst("timeline .*", "timeline 99"), "timeline");
    refuses(file, sound.replaceFirst("incarnation .*", "incarnation 8000"), "incarnation");
    refuses(file, "leasehold witness 1\n", "witness file");
    Files.writeString(file, sound);
    schema.execute("UPDATE leasehold_store SET system_id = '1'");
    assertThatThrownBy(() -> store().open()).hasMessageContaining("copied here");
  }

  private void refuses(Path file, String witness, String why) throws IOException {
    Files.writeString(file, witness);
    assertThatThrownBy(() -> store().open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContaining(why)
        .hasMessageContaining("leasehold incarnation advance");
  }
}
