package dev.leasehold.cli.demo;

import java.sql.SQLException;
import java.util.List;

/** An account in a table, with or without a fence. */
public abstract class TableAccount implements Account {
  protected final AccountTable table;

  protected TableAccount(AccountTable table) {
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
