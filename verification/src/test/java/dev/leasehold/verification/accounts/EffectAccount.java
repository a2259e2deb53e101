package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.AccountTable;
import dev.leasehold.cli.demo.Entry;
import dev.leasehold.cli.demo.Permit;
import dev.leasehold.cli.demo.TableAccount;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.sql.SQLException;
import java.util.List;

/** Written in one transaction with the check of the grant. */
final class EffectAccount extends TableAccount {
  private final AtEffect effects;

  EffectAccount(AccountTable table, AtEffect effects) {
    super(table);
    this.effects = effects;
  }

  @Override
  public Admission seal(Claim claim) {
    return effects.seal(claim);
  }

  @Override
  public Admission write(Permit permit, List<Entry> log) throws SQLException {
    Changed<Admission> changed =
        effects.change(
            permit.claim(),
            permit.trust(),
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
