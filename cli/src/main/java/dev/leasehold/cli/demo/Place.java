package dev.leasehold.cli.demo;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;

/**
 * Where an account is kept, and whether a fence stands before it.
 *
 * @param address the URL of a database or of an {@link AccountService}, or the path of a file
 */
public record Place(Kind kind, boolean fenced, String address) {
  /** The kinds of fence. */
  public enum Kind {
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
    FILE
  }

  /** Shorter than a holder that has been stopped is waited for. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  public static Place fenced(Kind kind, String address) {
    return new Place(kind, true, address);
  }

  /** The same with nothing before it: what the fence is for. */
  public Place withoutFence() {
    return new Place(kind, false, address);
  }

  /** What {@link #parse} reads. */
  String text() {
    return kind + " " + fenced + " " + address;
  }

  static Place parse(String text) {
    String[] words = text.split(" ", 3);
    return new Place(Kind.valueOf(words[0]), Boolean.parseBoolean(words[1]), words[2]);
  }

  /** For people. */
  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return fenced ? name : name + ", without its fence";
  }

  Account open(JdbcLeaseStore store, LeaseKey key) {
    RefusalTrail trail = new RefusalTrail(InstantSource.system());
    return switch (kind) {
      case SERVICE_IN_MEMORY, SERVICE_ON_MARK -> new ServiceAccount(URI.create(address), fenced);
      case FILE -> fileAccount(Path.of(address), key, trail);
      case AT_EFFECT, GUARDED_TABLE, MARK -> {
        AccountTable table = AccountTable.open(address, table(), key);
        yield fenced ? behindAFence(table, store.atEffect("account", trail), store) : bare(table);
      }
    };
  }

  private Account behindAFence(AccountTable table, AtEffect effects, JdbcLeaseStore store) {
    return switch (kind) {
      case AT_EFFECT -> new EffectAccount(table, effects);
      case GUARDED_TABLE -> new GuardedAccount(table, effects, store.guards());
      default -> marked(table);
    };
  }

  static Account marked(AccountTable table) {
    return new MarkedAccount(
        table, JdbcFence.before("account", table.database()).longestPause(LONGEST_PAUSE));
  }

  private static Account bare(AccountTable table) {
    return new BareAccount(table);
  }

  private Account fileAccount(Path file, LeaseKey key, RefusalTrail trail) {
    return fenced
        ? FileAccount.inGenerations(file, key, trail)
        : FileAccount.replaced(Path.of(file + "-unfenced"));
  }

  private String table() {
    return "demo_" + kind.name().toLowerCase(Locale.ROOT) + (fenced ? "" : "_unfenced");
  }
}
