package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A SQLite file that is restored from a copy, and a witness beside it that is not. */
class RolledBackTest {
  /** No other test uses it: a test here reads the log messages about it. */
  private static final LeaseKey KEY = new LeaseKey("lock/rolled-back");

  private static final Advance ADVANCE =
      new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(0));

  @TempDir Path folder;

  private JdbcStoreBuilder store() {
    return JdbcStore.at("sqlite:" + folder.resolve("leases.db"))
        .witness(folder.resolve("data"))
        .migrate();
  }

  private Token grantTwiceAndRestoreTheFirst() throws IOException {
    Path file = folder.resolve("leases.db");
    Path copy = folder.resolve("copy.db");
    try (JdbcStore store = store().open()) {
      TestCommands.acquireAndRelease(store.leases(), KEY);
    }
    Files.copy(file, copy);
    Token lost;
    try (JdbcStore store = store().open()) {
      lost = TestCommands.acquireAndRelease(store.leases(), KEY);
    }
    Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
    return lost;
  }

  @Test
  void a_store_that_is_where_it_was_opens_again() {
    for (int i = 0; i < 2; i++) {
      try (JdbcStore store = store().open()) {
        TestCommands.acquireAndRelease(store.leases(), KEY);
      }
    }
  }

  @Test
  void a_row_that_was_deleted_by_hand_leaves_its_token_behind() throws SQLException {
    try (JdbcStore store = store().open()) {
      Token token = TestCommands.acquireAndRelease(store.leases(), KEY);
      try (Connection connection =
              DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("leases.db"));
          Statement statement = connection.createStatement()) {
        statement.execute("DELETE FROM leasehold_lease");
      }
      assertThat(TestCommands.get(store.leases().read(KEY))).isEmpty();
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(token);
    }
  }

  @Test
  void a_restored_file_is_refused_with_what_to_do() throws IOException {
    grantTwiceAndRestoreTheFirst();
    assertThatThrownBy(() -> store().open())
        .isInstanceOf(StoreUnusableException.class)
        .message()
        // On a slow machine a link of the chain may come up meanwhile.
        .containsAnyOf("last token of lock/rolled-back", "of the chain")
        .contains("leasehold incarnation advance");
  }

  @Test
  void a_process_that_opens_it_is_told_and_the_log_does_not_say_it_again() throws IOException {
    grantTwiceAndRestoreTheFirst();
    List<LogRecord> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new StreamHandler() {
          @Override
          public void publish(LogRecord record) {
            logged.add(record);
          }
        };
    Logger log = Logger.getLogger(RollbackDetector.class.getName());
    log.addHandler(handler);
    try {
      assertThatThrownBy(() -> store().open()).isInstanceOf(StoreUnusableException.class);
      store().evenIfRolledBack().open().close();
    } finally {
      log.removeHandler(handler);
    }
    assertThat(logged)
        .noneMatch(record -> String.valueOf(record.getMessage()).contains(KEY.text()));
  }

  @Test
  void marks_that_have_gone_back_with_the_leases_admit_no_claim() throws IOException {
    Token lost = grantTwiceAndRestoreTheFirst();
    try (JdbcStore store = store().evenIfRolledBack().open()) {
      Claim claim = new Claim(KEY, lost, "me");
      assertThatThrownBy(() -> store.fence("table").admit(claim))
          .isInstanceOf(FenceUnavailableException.class)
          .hasMessageContaining("has gone back");
      TestCommands.get(store.leases().advance(ADVANCE));
      assertThat(store.fence("table").admit(claim)).isEqualTo(Admission.ADMITTED);
    }
  }

  @Test
  void opened_all_the_same_it_refuses_commands_and_can_be_advanced() throws IOException {
    Token lost = grantTwiceAndRestoreTheFirst();
    try (JdbcStore store = store().evenIfRolledBack().open()) {
      assertThat(store.diagnostics().refusal()).isPresent();
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> {
                assertThat(failed.certainty()).isEqualTo(Outcome.Certainty.NOT_APPLIED);
                assertThat(failed.detail()).contains("incarnation advance");
              });
      assertThat(TestCommands.get(store.leases().read(KEY))).isPresent();
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Advanced.class);
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(lost);
    }
    try (JdbcStore store = store().open()) {
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(lost);
    }
  }

  @Test
  void without_a_witness_an_advance_needs_a_number() throws IOException {
    grantTwiceAndRestoreTheFirst();
    try (JdbcStore store =
        JdbcStore.at("sqlite:" + folder.resolve("leases.db"))
            .witness(folder.resolve("elsewhere"))
            .open()) {
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Refused.class);
    }
  }

  @Test
  void an_incarnation_that_went_back_is_refused() throws IOException {
    Path file = folder.resolve("leases.db");
    try (JdbcStore store = store().open()) {
      TestCommands.acquireAndRelease(store.leases(), KEY);
    }
    Path copy = Files.copy(file, folder.resolve("copy.db"));
    try (JdbcStore store = store().open()) {
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Advanced.class);
    }
    Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
    assertThatThrownBy(() -> store().open()).hasMessageContaining("incarnation");
  }
}
