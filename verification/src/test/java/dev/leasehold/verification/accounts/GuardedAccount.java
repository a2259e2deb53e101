package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.AccountTable;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.cli.demo.Permit;
import dev.leasehold.cli.demo.TableAccount;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.GuardRefusal;
import dev.leasehold.store.jdbc.effects.Guards;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** A table that refuses by itself, written by plain statements that bring their token. */
final class GuardedAccount extends TableAccount {
  private final AtEffect effects;
  private final Guards guards;

  GuardedAccount(AccountTable table, AtEffect effects, Guards guards) {
    super(table);
    this.effects = effects;
    this.guards = guards;
  }

  @Override
  public void prepare() throws Exception {
    super.prepare();
    Guard unused =
        guards.install(Guard.byColumn(table.name(), "lease")).toCompletableFuture().get();
  }

  @Override
  public Admission seal(Claim claim) {
    return effects.seal(claim);
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws SQLException {
    Claim claim = permit.claim();
    try (Connection connection = table.database().getConnection()) {
      connection.setAutoCommit(false);
      AtEffect.Brought brought = effects.bring(connection, claim);
      try {
        table.insert(connection, log);
      } finally {
        brought.close();
      }
      connection.commit();
      return Admission.ADMITTED;
    } catch (SQLException e) {
      if (GuardRefusal.of(e).isPresent()
          && effects.admit(claim) instanceof Admission.Refused refused) {
        return refused;
      }
      throw e;
    }
  }
}
