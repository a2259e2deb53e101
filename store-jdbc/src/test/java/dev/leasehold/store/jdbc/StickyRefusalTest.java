package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import dev.leasehold.store.jdbc.status.WitnessState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A SQLite file is restored from a copy, and a process without a witness continues with it until
 * its tokens have passed the lost ones. A process that has seen those must still refuse the store.
 */
class StickyRefusalTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final Advance ADVANCE =
      new Advance(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.of(0));

  @TempDir Path folder;

  private Path file() {
    return folder.resolve("leases.db");
  }

  private JdbcStoreBuilder unwitnessed() {
    return JdbcStore.at("sqlite:" + file()).migrate();
  }

  private JdbcStoreBuilder witnessed() {
    return unwitnessed().witness(folder.resolve("data"));
  }

  private Path copyOfAnEmptyStore() throws IOException {
    witnessed().open().close();
    return Files.copy(file(), folder.resolve("copy.db"));
  }

  private void restore(Path copy) throws IOException {
    Files.copy(copy, file(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static Token acquireAndRelease(LeaseStore store, Instance instance) {
    Command acquire =
        Command.Acquire.of(KEY, instance, RequestId.random(), Terms.of("me", TestCommands.TTL));
    Token token = ((Outcome.Granted) TestCommands.outcome(store, acquire)).grant().token();
    TestCommands.outcome(store, new Command.Release(KEY, token, instance, RequestId.random()));
    return token;
  }

  private Token grantWitnessed() {
    try (JdbcStore store = witnessed().open()) {
      return TestCommands.acquireAndRelease(store.leases(), KEY);
    }
  }

  private Token grantUnwitnessed(Instance instance) {
    try (JdbcStore store = unwitnessed().open()) {
      return acquireAndRelease(store.leases(), instance);
    }
  }

  /** Says why, or names the chain: on a slow machine a link may come up meanwhile. */
  private void refused(String why) {
    assertThatThrownBy(() -> witnessed().open())
        .isInstanceOf(StoreUnusableException.class)
        .message()
        .containsAnyOf(why, "of the chain")
        .contains("leasehold incarnation advance");
  }

  @Test
  void what_was_found_missing_is_not_forgotten_when_the_numbers_have_passed() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token lost = grantWitnessed();
    restore(copy);
    refused("last token of lock/report");

    assertThat(grantUnwitnessed(TestCommands.ANN)).isEqualTo(lost);
    assertThat(grantUnwitnessed(TestCommands.ANN)).isGreaterThan(lost);
    refused("last token of lock/report");
  }

  @Test
  void only_a_higher_incarnation_ends_it() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token lost = grantWitnessed();
    restore(copy);
    refused("last token of lock/report");
    grantUnwitnessed(TestCommands.ANN);
    try (JdbcStore store = witnessed().evenIfRolledBack().open()) {
      assertThat(TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY)))
          .isInstanceOf(Outcome.Failed.class);
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Advanced.class);
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY)).isGreaterThan(lost);
    }
    assertThat(grantWitnessed()).isGreaterThan(lost);
  }

  @Test
  void another_process_with_the_same_folder_refuses_what_one_has_found() throws IOException {
    Path copy = copyOfAnEmptyStore();
    grantWitnessed();
    restore(copy);
    refused("last token of lock/report");
    grantUnwitnessed(TestCommands.ANN);
    try (JdbcStore store = witnessed().evenIfRolledBack().open()) {
      assertThat(store.diagnostics().refusal())
          .hasValueSatisfying(why -> assertThat(why).containsAnyOf("last token", "of the chain"));
    }
  }

  /** Another holder gets the same token before the process that knows it comes back. */
  @Test
  void a_token_that_another_instance_holds_now_shows_the_loss() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token lost = grantWitnessed();
    restore(copy);
    assertThat(grantUnwitnessed(Instance.random())).isEqualTo(lost);
    refused("token " + lost + " of lock/report was granted to another instance");
  }

  @Test
  void a_token_that_another_instance_has_held_shows_the_loss() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token lost = grantWitnessed();
    restore(copy);
    Instance other = Instance.random();
    assertThat(grantUnwitnessed(other)).isEqualTo(lost);
    assertThat(grantUnwitnessed(other)).isGreaterThan(lost);
    refused("token " + lost + " of lock/report was granted to another instance");
  }

  @Test
  void a_garbled_instance_shows_no_loss() throws SQLException {
    grantWitnessed();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
        Statement statement = connection.createStatement()) {
      statement.execute("UPDATE leasehold_past_grant SET instance_id = 'no id'");
      statement.execute("UPDATE leasehold_lease SET instance_id = 'no id'");
    }
    witnessed().open().close();
  }

  /** Token and instance are the same, and more has been granted since: only the chain differs. */
  @Test
  void a_chain_that_does_not_go_on_from_what_was_seen_shows_the_loss() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token lost = grantWitnessed();
    // A link is witnessed once it has been read.
    witnessed().open().close();
    restore(copy);
    assertThat(grantUnwitnessed(TestCommands.ANN)).isEqualTo(lost);
    refused("link 1 of the chain is not the one seen before");
  }

  /** Each restore of the same copy goes back, even though the previous one was advanced. */
  @Test
  void a_copy_that_is_restored_twice_is_refused_twice() throws IOException {
    Path copy = copyOfAnEmptyStore();
    Token highest = grantWitnessed();
    for (int i = 0; i < 2; i++) {
      restore(copy);
      grantUnwitnessed(Instance.random());
      grantUnwitnessed(TestCommands.ANN);
      assertThatThrownBy(() -> witnessed().open()).isInstanceOf(StoreUnusableException.class);
      try (JdbcStore store = witnessed().evenIfRolledBack().open()) {
        assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
            .isInstanceOf(Advance.Advanced.class);
      }
      Token token = grantWitnessed();
      assertThat(token).isGreaterThan(highest);
      highest = token;
    }
  }

  /** It has only looked: a file written by it would count as a witness the next time. */
  @Test
  void an_advance_that_no_witness_tells_of_is_refused_as_often_as_it_is_tried() throws IOException {
    copyOfAnEmptyStore();
    Path fresh = folder.resolve("fresh");
    for (int i = 0; i < 2; i++) {
      try (JdbcStore store = unwitnessed().witness(fresh).evenIfRolledBack().open()) {
        assertThat(store.diagnostics().witness()).isEqualTo(new WitnessState.Empty());
        assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
            .isInstanceOf(Advance.Refused.class);
      }
    }
    try (JdbcStore store = unwitnessed().witness(fresh).evenIfRolledBack().open()) {
      assertThat(TestCommands.get(store.leases().advance(Advance.above(5_000))))
          .isInstanceOf(Advance.Advanced.class);
    }
    try (JdbcStore store = unwitnessed().witness(fresh).open()) {
      assertThat(store.diagnostics().witness()).isEqualTo(new WitnessState.Found(5_001));
    }
  }

  /** A process that has just opened a restored store has seen none of the lost writes. */
  @Test
  void a_file_that_was_begun_since_is_no_witness_for_an_advance() throws IOException {
    Path copy = copyOfAnEmptyStore();
    grantWitnessed();
    restore(copy);
    Path fresh = folder.resolve("fresh");
    try (JdbcStore store = unwitnessed().witness(fresh).open()) {
      while (!Files.isDirectory(fresh.resolve("witness"))) {
        Thread.onSpinWait();
      }
      assertThat(TestCommands.get(store.leases().advance(ADVANCE)))
          .isInstanceOf(Advance.Refused.class);
    }
  }
}
