package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.health.Address;
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

/**
 * The database at an address is emptied or replaced. On the same day a new store would start with
 * the same incarnation, and issue tokens that holders of the old one still use.
 */
class ReplacedStoreTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final Advance ADVANCE =
      new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty());

  @TempDir Path folder;

  @AutoClose private final Schema schema = new Schema();

  private JdbcStoreBuilder unwitnessed() {
    return JdbcStore.at("sqlite:" + folder.resolve("leases.db")).migrate();
  }

  private JdbcStoreBuilder witnessed() {
    return unwitnessed().witness(folder.resolve("data"));
  }

  private void deleteTheFile() throws IOException {
    for (String suffix : new String[] {"", "-wal", "-shm"}) {
      Files.deleteIfExists(folder.resolve("leases.db" + suffix));
    }
  }

  private static Token grant(JdbcStoreBuilder builder) {
    try (JdbcStore store = builder.open()) {
      return TestCommands.acquire(store.leases(), KEY);
    }
  }

  private static void startsAbove(Token live, JdbcStore store) {
    StoreIdentity identity = TestCommands.get(store.diagnostics().identity());
    assertThat(identity.incarnation()).isGreaterThan(live.incarnation());
    assertThat(identity.holdOffMillis()).isBetween(1L, TestCommands.TTL.toMillis());
    assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
        .isInstanceOf(Outcome.Closed.class);
  }

  @Test
  void a_new_file_where_one_was_served_starts_above_it_with_a_hold_off() throws IOException {
    Token live = grant(witnessed());
    deleteTheFile();
    try (JdbcStore store = witnessed().open()) {
      startsAbove(live, store);
    }
    witnessed().open().close();
  }

  /** The holders that the first hold-off waits for are still there. */
  @Test
  void a_file_that_is_deleted_again_during_the_hold_off_waits_for_as_long() throws IOException {
    try (JdbcStore store = witnessed().open()) {
      TestCommands.outcome(
          store.leases(),
          Command.Acquire.of(
              KEY, TestCommands.ANN, RequestId.random(), Terms.of("ann", Duration.ofHours(2))));
    }
    for (int i = 0; i < 2; i++) {
      deleteTheFile();
      try (JdbcStore store = witnessed().open()) {
        assertThat(TestCommands.get(store.diagnostics().identity()).holdOffMillis())
            .isGreaterThan(Duration.ofHours(1).toMillis());
      }
    }
  }

  @Test
  void a_new_schema_where_one_was_served_starts_above_it_with_a_hold_off() throws SQLException {
    Token live = grant(schema.store().migrate().witness(folder));
    String name = schema.value("SELECT current_schema()");
    schema.execute("DROP SCHEMA " + name + " CASCADE");
    schema.execute("CREATE SCHEMA " + name);
    try (JdbcStore store = schema.store().migrate().witness(folder).open()) {
      startsAbove(live, store);
    }
  }

  @Test
  void a_schema_that_is_made_beforehand_starts_above_it_too() throws IOException {
    Token live = grant(witnessed());
    deleteTheFile();
    assertThat(witnessed().schema(StoreSchema::apply)).contains("0001-leases");
    try (JdbcStore store = witnessed().open()) {
      startsAbove(live, store);
    }
  }

  @Test
  void what_a_process_without_a_witness_has_made_is_refused_until_it_is_advanced()
      throws IOException {
    Token live = grant(witnessed());
    deleteTheFile();
    unwitnessed().open().close();
    assertThatThrownBy(() -> witnessed().open())
        .isInstanceOf(StoreUnusableException.class)
        .hasMessageContaining("emptied or replaced")
        .hasMessageContaining("leases.db")
        .hasMessageContaining("up to incarnation " + live.incarnation())
        .hasMessageContaining("leasehold incarnation advance");
    try (JdbcStore store = witnessed().evenIfRolledBack().open()) {
      assertThat(store.diagnostics().refusal()).isPresent();
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOf(Outcome.Failed.class);
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOfSatisfying(
              Advance.Advanced.class,
              advanced -> {
                assertThat(advanced.incarnation()).isGreaterThan(live.incarnation());
                assertThat(advanced.holdOffMillis()).isEqualTo(TestCommands.TTL.toMillis());
              });
      startsAbove(live, store);
    }
    witnessed().open().close();
  }

  /** An advance by another process, with a number, makes the store known everywhere. */
  @Test
  void an_advance_above_the_earlier_store_is_accepted_by_its_witness() throws IOException {
    Token live = grant(witnessed());
    deleteTheFile();
    try (JdbcStore store = unwitnessed().open()) {
      Advance above = Advance.above(live.incarnation());
      assertThat(TestCommands.get(store.leases().advance(above)))
          .isInstanceOf(Advance.Advanced.class);
    }
    witnessed().open().close();
  }

  @Test
  void a_witness_that_saw_no_more_than_the_founders_accepts_the_new_store() throws IOException {
    Token live = grant(witnessed());
    unwitnessed().witness(folder.resolve("other")).open().close();
    deleteTheFile();
    witnessed().open().close();
    try (JdbcStore store = unwitnessed().witness(folder.resolve("other")).open()) {
      startsAbove(live, store);
    }
  }

  @Test
  void a_witness_that_saw_more_than_the_founders_refuses_the_new_store() throws IOException {
    grant(witnessed());
    try (JdbcStore store = unwitnessed().witness(folder.resolve("other")).open()) {
      assertThat(TestCommands.get(store.leases().advance(Advance.above(5_000))))
          .isInstanceOf(Advance.Advanced.class);
    }
    deleteTheFile();
    witnessed().open().close();
    assertThatThrownBy(() -> unwitnessed().witness(folder.resolve("other")).open())
        .hasMessageContaining("emptied or replaced")
        .hasMessageContaining("up to incarnation 5001");
  }

  /** It continues with a file that has lost its name, while other processes use the new file. */
  @Test
  void a_process_that_still_has_the_deleted_file_open_stops() throws Exception {
    try (JdbcStore old = witnessed().open()) {
      TestCommands.acquire(old.leases(), KEY);
      // Its witness is written in the background.
      while (Files.notExists(folder.resolve("data/witness"))) {
        Thread.onSpinWait();
      }
      Path address;
      do {
        try (var files = Files.list(folder.resolve("data/witness"))) {
          address =
              files
                  .filter(file -> file.getFileName().toString().matches("at-[0-9a-f]+"))
                  .findAny()
                  .orElse(folder);
        }
      } while (address.equals(folder));
      deleteTheFile();
      try (JdbcStore store = witnessed().open()) {
        assertThat(store.diagnostics().refusal()).isEmpty();
        while (old.diagnostics().refusal().isEmpty()) {
          Thread.onSpinWait();
        }
      }
      assertThat(old.diagnostics().refusal().orElseThrow()).contains("emptied or replaced");
      assertThat(
              TestCommands.outcome(
                  old.leases(), TestCommands.acquiring(new LeaseKey("lock/other"))))
          .isInstanceOf(Outcome.Failed.class);
    }
  }

  /** Without a witness, the process checks before each command whether its file lost its name. */
  @Test
  void a_process_without_a_folder_that_has_the_deleted_file_open_stops() throws IOException {
    try (JdbcStore old = unwitnessed().open()) {
      Token live = TestCommands.acquire(old.leases(), KEY);
      deleteTheFile();
      assertThat(grant(unwitnessed())).isEqualTo(live);
      assertThat(
              TestCommands.outcome(
                  old.leases(), TestCommands.acquiring(new LeaseKey("lock/other"))))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed ->
                  assertThat(failed.detail())
                      .contains("emptied or replaced", "leases.db", "start this process again"));
      OptionalLong asBefore = OptionalLong.empty();
      assertThat(
              TestCommands.outcome(
                  old.leases(), new Command.Renew(KEY, live, TestCommands.ANN, asBefore, 0)))
          .isInstanceOf(Outcome.Failed.class);
    }
  }

  /** It would write to a file that no other process can open, so the operator is refused. */
  @Test
  void a_process_that_has_the_deleted_file_open_does_not_advance_it() throws IOException {
    try (JdbcStore old = witnessed().open()) {
      TestCommands.acquire(old.leases(), KEY);
      deleteTheFile();
      OptionalInt above = OptionalInt.of(7);
      Advance advance = new Advance(above, OptionalInt.empty(), OptionalLong.empty());
      assertThat(old.leases().advance(advance).toCompletableFuture().join())
          .isInstanceOfSatisfying(
              Advance.Refused.class,
              refused -> assertThat(refused.why()).contains("start this process again"));
    }
  }

  /** The state that a process leaves which is killed right after its first grant. */
  @Test
  void the_folder_knows_the_store_before_anything_is_granted() throws IOException {
    Token live;
    try (JdbcStore store = witnessed().open()) {
      live = TestCommands.acquire(store.leases(), KEY);
      copyFolder(folder.resolve("data/witness"), folder.resolve("killed/witness"));
    }
    deleteTheFile();
    try (JdbcStore store = unwitnessed().witness(folder.resolve("killed")).open()) {
      assertThat(TestCommands.get(store.diagnostics().identity()).incarnation())
          .isGreaterThan(live.incarnation());
    }
  }

  private static void copyFolder(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (var files = Files.list(from)) {
      for (Path file : files.filter(f -> !f.toString().endsWith(".new")).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  @Test
  void an_address_names_hosts_in_one_order_and_no_user_that_logs_in() {
    assertThat(Address.hosts("jdbc:postgresql://B:5433,a/leases?user=x&password=secret"))
        .isEqualTo("a:5432,b:5433")
        .isEqualTo(Address.hosts("jdbc:postgresql://a:5432,b:5433/leases"));
    assertThat(Address.hosts("jdbc:postgresql:leases")).isEqualTo("localhost:5432");
    assertThat(Address.hosts("jdbc:postgresql://me:secret@a/leases")).isEqualTo("a:5432");
    assertThat(Address.hosts("jdbc:postgresql://[::1]/leases")).isEqualTo("[::1]:5432");
  }
}
