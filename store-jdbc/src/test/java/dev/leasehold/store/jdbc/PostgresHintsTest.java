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
class PostgresHintsTest extends HeardElsewhere {
  @Override
  TwoHandles open() {
    return new PostgresStoreUnderTest(Doing.START_MILLIS, Dialect.POSTGRESQL, "read\\ committed");
  }

  @Test
  void a_listener_whose_connection_is_killed_comes_back_with_a_reset() throws SQLException {
    Ear ear = new Ear();
    stores().another().watch("lock/", ear);
    ear.awaitReset();
    try (Connection admin = DriverManager.getConnection(PostgresServer.url());
        Statement statement = admin.createStatement()) {
      statement.execute(
          """
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE query LIKE '%LISTEN%' AND pid <> pg_backend_pid()
          """);
    }
    ear.awaitReset();
    Token token = Doing.acquire(stores().store(), KEY);
    ear.await(new LeaseChange(Kind.GRANTED, KEY, token));
  }

  @Test
  void two_stores_in_one_database_do_not_hear_each_other() {
    try (TwoHandles foreign = open()) {
      Ear ear = new Ear();
      stores().another().watch("", ear);
      ear.awaitReset();
      Doing.acquire(foreign.store(), KEY);
      assertThat(Doing.get(foreign.jdbc().diagnostics().deliversChanges())).isTrue();
      Token token = Doing.acquire(stores().store(), KEY);
      assertThat(ear.await(new LeaseChange(Kind.GRANTED, KEY, token))).isEmpty();
    }
  }
}
