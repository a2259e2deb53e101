package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.AccountPlace;
import dev.leasehold.cli.demo.AccountTable;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.fence.LeaseKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A table whose writer may be stopped in the middle of a write. */
final class SteppedTable extends AccountTable {
  private final Midway midway;

  SteppedTable(AccountPlace place, LeaseKey key, Midway midway) {
    super(place.address(), place.table(), key);
    this.midway = midway;
  }

  @Override
  public void insert(Connection connection, List<Entry> log) throws SQLException {
    midway.at(Midway.Step.BEFORE_THE_CHANGE);
    super.insert(connection, log);
    midway.at(Midway.Step.AFTER_THE_CHANGE);
  }
}
