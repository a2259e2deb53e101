package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.leader.Election;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A check in a user's transaction that does not end: a waiter is told which one it is. */
@Timeout(60)
class BlockedTakeoverTest {
  private static final LeaseKey KEY = new LeaseKey("leader/gateway");
  private static final Instance BOB = Instance.of("b".repeat(32));
  private static final Logger LOGGER = Logger.getLogger(LockedPlaces.class.getName());

  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final Handler listening =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          String text = new SimpleFormatter().formatMessage(line);
          // Other tests have rows of their own keys locked meanwhile.
          if (line.getLevel().equals(Level.WARNING) && text.contains(KEY.text())) {
            warnings.add(text);
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  private Schema schema;
  private JdbcStore store;
  private Connection user;
  private String backend;

  @BeforeEach
  void lockTheRowOfAGrantThatIsOver() throws SQLException {
    schema = new Schema();
    store = schema.store().migrate().open();
    var unused = TestCommands.acquireAndRelease(store.leases(), KEY);
    user = DriverManager.getConnection(schema.url(""));
    user.setAutoCommit(false);
    try (Statement statement = user.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT pg_backend_pid() FROM leasehold_lease FOR KEY SHARE")) {
      assertThat(row.next()).isTrue();
      backend = "backend " + row.getLong(1) + " ";
    }
    LOGGER.addHandler(listening);
  }

  @AfterEach
  void close() throws SQLException {
    LOGGER.removeHandler(listening);
    user.close();
    store.close();
    schema.close();
  }

  private Outcome.Held held() {
    return (Outcome.Held)
        TestCommands.outcome(
            store.leases(),
            Command.Acquire.of(KEY, BOB, RequestId.random(), Terms.of("bob", TestCommands.TTL)));
  }

  @Test
  void a_contender_is_told_which_backend_it_waits_for_and_the_log_says_so_once() {
    Optional<String> lockedBy = Optional.empty();
    while (lockedBy.isEmpty() || warnings.isEmpty()) {
      Outcome.Held held = held();
      assertThat(held.remainingMillis()).isZero();
      lockedBy = held.lockedBy();
    }
    assertThat(lockedBy.get()).contains(backend);
    for (int i = 0; i < 100; i++) {
      assertThat(held().lockedBy().orElseThrow()).contains(backend);
    }
    assertThat(warnings)
        .singleElement()
        .satisfies(line -> assertThat(line).contains("leader/gateway", backend));
  }

  @Test
  void an_election_names_it_as_its_last_error_and_goes_on_when_it_ends() throws SQLException {
    try (Leases leases = Leases.on(store).holder("ben").open();
        Election election = Election.on(leases).named("gateway").start()) {
      while (election.status().lastError().filter(text -> text.contains(backend)).isEmpty()) {
        Thread.onSpinWait();
      }
      assertThat(election.status().term()).isEmpty();
      user.commit();
      while (election.status().term().isEmpty()) {
        Thread.onSpinWait();
      }
    }
  }
}
