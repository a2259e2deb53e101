package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.blocks.rows.spi.OpenResult;
import dev.leasehold.blocks.rows.spi.Orphan;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another process has stopped between two statements on anchors, or on their session. */
class PausedAnchorsTest {
  private static final LeaseKey KEY = new LeaseKey("session/ann");

  private Schema schema;
  private JdbcStore store;
  private AnchorStore anchors;
  private Connection paused;
  private Token token;

  @BeforeEach
  void open() throws SQLException {
    schema = new Schema();
    store = schema.store().migrate().open();
    anchors = store.require(AnchorStore.class, "anchors");
    token = TestCommands.acquire(store.leases(), KEY);
    paused = DriverManager.getConnection(schema.url(""));
    paused.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    paused.close();
    store.close();
    schema.close();
  }

  private void pauseAfter(String statement) throws SQLException {
    try (Statement own = paused.createStatement()) {
      boolean unused = own.execute(statement);
    }
  }

  private SessionGrant session() {
    return new SessionGrant(KEY, token);
  }

  private OpenResult opened() {
    return TestCommands.get(anchors.open(session()));
  }

  @Test
  void an_opening_fails_soon_while_another_transaction_ends_its_session() throws SQLException {
    pauseAfter("SELECT 1 FROM leasehold_lease WHERE key = 'session/ann' FOR UPDATE");
    assertThatThrownBy(this::opened).isInstanceOf(AssertionError.class);
    assertThat(TestCommands.get(anchors.under(session()))).isEmpty();
    paused.rollback();
    assertThat(opened()).isInstanceOf(OpenResult.Opened.class);
  }

  @Test
  void a_process_that_stopped_while_it_opened_keeps_its_session_from_ending_and_not_from_renewal()
      throws SQLException {
    pauseAfter("SELECT 1 FROM leasehold_lease WHERE key = 'session/ann' FOR KEY SHARE");
    assertThat(TestCommands.outcome(store.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
        .isInstanceOf(Outcome.Renewed.class);
    assertThat(TestCommands.outcome(store.leases(), TestCommands.releasing(KEY, token)))
        .isInstanceOf(Outcome.Failed.class);
    paused.rollback();
    TestCommands.release(store.leases(), KEY, token);
  }

  @Test
  void an_anchor_that_stays_locked_is_not_adopted_and_keeps_no_other_from_being_found()
      throws SQLException {
    OpenResult.Opened mine = (OpenResult.Opened) opened();
    TestCommands.release(store.leases(), KEY, token);
    LeaseKey next = new LeaseKey("session/ben");
    SessionGrant adopter = new SessionGrant(next, TestCommands.acquire(store.leases(), next));
    pauseAfter("SELECT 1 FROM leasehold_anchor FOR UPDATE");
    assertThatThrownBy(() -> TestCommands.get(anchors.adopt(mine.served(), session(), adopter)))
        .isInstanceOf(AssertionError.class);
    assertThat(TestCommands.get(anchors.orphans(Optional.empty(), 10)))
        .extracting(Orphan::anchor)
        .hasSize(2);
    paused.rollback();
    assertThat(TestCommands.get(anchors.adopt(mine.served(), session(), adopter))).isTrue();
  }
}
