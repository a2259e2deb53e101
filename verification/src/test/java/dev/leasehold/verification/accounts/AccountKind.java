package dev.leasehold.verification.accounts;

import dev.leasehold.cli.demo.Account;
import dev.leasehold.cli.demo.AccountPlace;
import dev.leasehold.cli.demo.AccountTable;
import dev.leasehold.cli.demo.BareAccount;
import dev.leasehold.cli.demo.MarkedAccount;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.store.jdbc.JdbcStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;

/** The kinds of fence, each before an account. */
public enum AccountKind {
  /** A table in the leases' own database, written by changes at effect. */
  AT_EFFECT,
  /** A table there that refuses by itself. */
  GUARDED_TABLE,
  /** A table in another database, behind a mark there. */
  MARK,
  /** A service that keeps the account in memory, and answers requests inside of a fence. */
  SERVICE_IN_MEMORY,
  /** A service that keeps it in a database, behind a mark there. */
  SERVICE_ON_MARK,
  /** A file with a generation for each token. */
  FILE;

  /**
   * An account of this kind, with its fence.
   *
   * @param address the URL of a database or of an {@link AccountService}, or the path of a file
   */
  public AccountPlace at(String address) {
    return AccountPlace.fenced(name(), address);
  }

  static Account open(AccountPlace place, JdbcStore store, LeaseKey key, Midway midway) {
    return switch (valueOf(place.kind())) {
      case AT_EFFECT, GUARDED_TABLE, MARK ->
          inTable(place, store, new SteppedTable(place, key, midway));
      case SERVICE_IN_MEMORY, SERVICE_ON_MARK ->
          new ServiceAccount(URI.create(place.address()), place.fenced());
      case FILE ->
          place.fenced()
              ? FileAccount.inGenerations(Path.of(place.address()), key, trail())
              : FileAccount.replaced(Path.of(place.address() + "-unfenced"));
    };
  }

  private static Account inTable(AccountPlace place, JdbcStore store, AccountTable table) {
    if (!place.fenced()) {
      return new BareAccount(table);
    }
    return switch (valueOf(place.kind())) {
      case AT_EFFECT -> new EffectAccount(table, store.atEffect("account", trail()));
      case GUARDED_TABLE ->
          new GuardedAccount(table, store.atEffect("account", trail()), store.guards());
      default -> new MarkedAccount(table);
    };
  }

  private static RefusalTrail trail() {
    return new RefusalTrail(InstantSource.system());
  }
}
