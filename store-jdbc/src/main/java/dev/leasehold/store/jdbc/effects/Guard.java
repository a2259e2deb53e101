package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.LeaseKey;
import java.util.Optional;

/**
 * A guard of a table: which lease each row belongs to, and who may change it without a token.
 *
 * @param table as the database finds it, with or without its schema
 * @param maintenanceRole the role whose members may pass after giving a reason; empty: none may
 */
public record Guard(String table, Keys keys, Optional<String> maintenanceRole) {
  /** Which lease a row belongs to. */
  public sealed interface Keys {
    /** The column that contains the key, written {@code kind/name}. */
    record Column(String name) implements Keys {}

    /** The same key for every row. */
    record Fixed(LeaseKey key) implements Keys {}
  }

  /** Each row belongs to the lease that this column names. */
  public static Guard byColumn(String table, String column) {
    return new Guard(table, new Keys.Column(column), Optional.empty());
  }

  /** The whole table belongs to one lease. */
  public static Guard byKey(String table, LeaseKey key) {
    return new Guard(table, new Keys.Fixed(key), Optional.empty());
  }

  /** Lets members of this role pass, after giving a reason; each pass is recorded. */
  public Guard maintainedBy(String role) {
    return new Guard(table, keys, Optional.of(role));
  }

  Optional<String> column() {
    return keys instanceof Keys.Column column ? Optional.of(column.name()) : Optional.empty();
  }

  Optional<String> fixedKey() {
    return keys instanceof Keys.Fixed fixed ? Optional.of(fixed.key().text()) : Optional.empty();
  }
}
