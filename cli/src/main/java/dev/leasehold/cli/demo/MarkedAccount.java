package dev.leasehold.cli.demo;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/** Writes in one transaction with the check of a mark in the same database. */
public final class MarkedAccount extends TableAccount {
  /** Shorter than the director's wait for a stopped holder. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final JdbcFence fence;

  public MarkedAccount(AccountTable table) {
    super(table);
    this.fence = JdbcFence.before("account", table.database()).longestPause(LONGEST_PAUSE);
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
              table.insert(connection, log);
              return Admission.ADMITTED;
            });
    return switch (changed) {
      case Changed.Made<Admission> made -> made.result();
      case Changed.NotMade<Admission> notMade -> notMade.why();
    };
  }
}
