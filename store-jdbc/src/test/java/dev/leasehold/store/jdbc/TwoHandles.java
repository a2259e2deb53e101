package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.contract.StoreUnderTest;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** A database that is opened once, and a second time when a test asks for it. */
abstract class TwoHandles implements StoreUnderTest {
  private Optional<LeaseStore> first = Optional.empty();
  private Optional<LeaseStore> second = Optional.empty();

  abstract LeaseStore openStore();

  /** To the same database, as an application has one. */
  abstract Connection connect() throws SQLException;

  @Override
  public final synchronized LeaseStore store() {
    if (first.isEmpty()) {
      first = Optional.of(openStore());
    }
    return first.get();
  }

  @Override
  public final synchronized LeaseStore another() {
    if (second.isEmpty()) {
      second = Optional.of(openStore());
    }
    return second.get();
  }

  final synchronized void closeStores() {
    first.ifPresent(LeaseStore::close);
    second.ifPresent(LeaseStore::close);
  }
}
