package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Written in one transaction with the check of a mark in its own database. */
final class MarkedAccount extends TableAccount {
  private final JdbcFence fence;

  MarkedAccount(AccountTable table, JdbcFence fence) {
    super(table);
    this.fence = fence;
  }

  @Override
  public void prepare() throws Exception {
    super.prepare();
    try (Connection connection = table.database().getConnection()) {
      JdbcFence.createTables(connection);
    }
  }

  @Override
  public Admission seal(Claim claim) {
    return fence.seal(claim);
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws SQLException {
    Changed<Admission> changed =
        fence.change(
            permit.claim(),
            connection -> {
              table.insert(connection, permit, log);
              return Admission.ADMITTED;
            });
    return switch (changed) {
      case Changed.Made<Admission> made -> made.result();
      case Changed.NotMade<Admission> notMade -> notMade.why();
    };
  }
}
