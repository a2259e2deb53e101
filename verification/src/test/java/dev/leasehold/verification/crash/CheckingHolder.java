package dev.leasehold.verification.crash;

import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Acquisition;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A process that checks its lease in a transaction of its own, writes, and commits when the test
 * tells it to, so that the test can stop it in between.
 */
public final class CheckingHolder {
  static final String KEY = "work/checked";

  private CheckingHolder() {}

  /**
   * Arguments: the store, the ttl in milliseconds, and the kind of check, {@code effect} or {@code
   * mark}.
   */
  public static void main(String[] arguments) throws Exception {
    String url = arguments[0];
    try (JdbcStore store = JdbcStore.at(url).open();
        Leases leases = Leases.on(store).holder("stopped").open();
        Connection own = DriverManager.getConnection(url);
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      Duration ttl = Duration.ofMillis(Long.parseLong(arguments[1]));
      Lease lease =
          ((Acquisition.Acquired) leases.tryAcquire(LeaseRequest.of(KEY).ttl(ttl))).lease();
      own.setAutoCommit(false);
      if (arguments[2].equals("effect")) {
        AtEffect notes = store.atEffect("notes", new RefusalTrail(InstantSource.system()));
        notes.check(own, lease);
      } else {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(url);
        JdbcFence.before("notes", database)
            .longestPause(Duration.ofHours(1))
            .admitIn(own, lease.claim(), lease.trust());
      }
      write(own);
      Worker.say("checked");
      String unused = orders.readLine();
      Worker.say(committed(own));
    }
  }

  private static void write(Connection own) throws SQLException {
    try (Statement statement = own.createStatement()) {
      int unused = statement.executeUpdate("INSERT INTO notes VALUES ('late')");
    }
  }

  private static String committed(Connection own) {
    try {
      own.commit();
      return "committed";
    } catch (SQLException e) {
      return "not committed: " + e.getSQLState();
    }
  }
}
