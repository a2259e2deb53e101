package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** A database that is opened once, and a second time if a test needs it. */
abstract class TwoHandles implements StoreUnderTest {
  private Optional<JdbcStore> first = Optional.empty();
  private Optional<JdbcStore> second = Optional.empty();

  abstract JdbcStore openStore();

  /** A connection to the same database, as an application has one. */
  abstract Connection connect() throws SQLException;

  final synchronized JdbcStore jdbc() {
    if (first.isEmpty()) {
      first = Optional.of(openStore());
    }
    return first.get();
  }

  final synchronized JdbcStore anotherJdbc() {
    if (second.isEmpty()) {
      second = Optional.of(openStore());
    }
    return second.get();
  }

  @Override
  public final LeaseStore store() {
    return jdbc().leases();
  }

  @Override
  public final LeaseStore another() {
    return anotherJdbc().leases();
  }

  final synchronized void closeStores() {
    first.ifPresent(JdbcStore::close);
    second.ifPresent(JdbcStore::close);
  }
}
