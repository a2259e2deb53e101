package dev.leasehold.cli.demo;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.JdbcStore;

/** Opens the account at a place, for the holders and for their director. */
public interface Accounts {
  /** Accounts in a table of another database, behind a mark there. This is what the demo shows. */
  Accounts MARKED =
      (place, store, key) -> {
        AccountTable table = new AccountTable(place.address(), place.table(), key);
        return place.fenced() ? new MarkedAccount(table) : new BareAccount(table);
      };

  Account open(AccountPlace place, JdbcStore store, LeaseKey key);
}
