package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.LeaseKey;
import java.util.Optional;

/**
 * A guard before a table: what it takes for the key of a row, and who may pass without one.
 *
 * @param table as the database finds it, with or without its schema
 * @param maintenanceRole whose members pass after giving a reason; empty: nobody does
 */
public record Guard(String table, Keys keys, Optional<String> maintenanceRole) {
  /** Which lease a row belongs to. */
  public sealed interface Keys {
    /** The column that holds it, written {@code kind/name}. */
    record Column(String name) implements Keys {}

    /** The same for every row. */
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
