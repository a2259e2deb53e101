package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

/** Changes by LISTEN and NOTIFY. */
class PostgresHintsTest extends HintsContract {
  @Override
  TwoHandles open() {
    return new PostgresStoreUnderTest(
        TestCommands.START_MILLIS, Dialect.POSTGRESQL, "read\\ committed");
  }

  @Test
  void a_listener_whose_connection_is_killed_comes_back_with_a_reset() throws SQLException {
    TestListener listener = new TestListener();
    stores().another().watch("lock/", listener);
    listener.awaitReset();
    try (Connection admin = DriverManager.getConnection(PostgresServer.url());
        Statement statement = admin.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE query LIKE '%LISTEN%' AND pid <> pg_backend_pid()
          """);
    }
    listener.awaitReset();
    Token token = TestCommands.acquire(stores().store(), KEY);
    listener.await(new LeaseChange(Kind.GRANTED, KEY, token));
  }

  @Test
  void two_stores_in_one_database_do_not_hear_each_other() {
    try (TwoHandles foreign = open()) {
      TestListener listener = new TestListener();
      stores().another().watch("", listener);
      listener.awaitReset();
      TestCommands.acquire(foreign.store(), KEY);
      assertThat(TestCommands.get(foreign.jdbc().diagnostics().deliversChanges())).isTrue();
      Token token = TestCommands.acquire(stores().store(), KEY);
      assertThat(listener.await(new LeaseChange(Kind.GRANTED, KEY, token))).isEmpty();
    }
  }
}
