package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.HousekeepingLease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** Housekeeping that a test does itself, as a process of its own would. */
final class Tidying {
  private Tidying() {}

  /** Where connections to the database come from. */
  interface Connecting {
    Connection connect() throws SQLException;
  }

  static Housekeeping housekeeping(Dialect dialect, Connecting connecting) {
    return housekeeping(dialect, connecting, Duration.ofDays(30));
  }

  static Housekeeping housekeeping(Dialect dialect, Connecting connecting, Duration kept) {
    return new Housekeeping(
        dialect,
        new Housekeeping.Transacting() {
          @Override
          public <T> T run(ConnectionWork<T> work) throws SQLException {
            try (StoreConnection connection = RawConnection.on(connecting.connect(), dialect)) {
              return connection.inTransaction(
                  s -> {
                    if (dialect.equals(Dialect.SQLITE)) {
                      s.update("take-write-lock");
                    }
                    return work.run(s);
                  });
            }
          }
        },
        JdbcStoreBuilder.chores(Limits.SINGLE_NODE, kept));
  }

  static HousekeepingLease lease(JdbcStore store) {
    return new HousekeepingLease(store.leases()::apply, store.leases().ledger(), Ticker.system());
  }
}
