package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** An account without a fence: it accepts every write. */
public final class BareAccount extends TableAccount {
  public BareAccount(AccountTable table) {
    super(table);
  }

  @Override
  public Admission seal(Claim claim) {
    return Admission.ADMITTED;
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws SQLException {
    try (Connection connection = table.database().getConnection()) {
      table.insert(connection, log);
    }
    return Admission.ADMITTED;
  }
}
