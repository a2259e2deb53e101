package dev.leasehold.cli.demo;

import java.sql.SQLException;
import java.util.List;

/** An account that is a table, whatever stands before it. */
abstract sealed class TableAccount implements Account
    permits BareAccount, EffectAccount, GuardedAccount, MarkedAccount {
  final AccountTable table;

  TableAccount(AccountTable table) {
    this.table = table;
  }

  @Override
  public void prepare() throws Exception {
    table.create();
  }

  @Override
  public final List<Entry> read() throws SQLException {
    return table.read();
  }

  @Override
  public final void close() {
    table.close();
  }
}
