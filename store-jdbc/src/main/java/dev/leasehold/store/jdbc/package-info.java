/**
 * Leases in a database that the application has already: SQLite in-process, PostgreSQL,
 * CockroachDB. Start at {@link dev.leasehold.store.jdbc.JdbcStore}; {@link
 * dev.leasehold.store.jdbc.JdbcStoreBuilder} assembles it from the packages below.
 *
 * <p>The database is the coordinator: its clock and its transactions decide. Users see this
 * package, {@code effects} (fencing of other data in the database) and {@code status} (what a store
 * reports about itself); the other packages are hidden, and none uses one that is above it in this
 * list:
 *
 * <ul>
 *   <li>{@code leases}, {@code objects}: rows, and how a batch of commands on them is decided
 *   <li>{@code rows}: what the rows of all blocks have in common
 *   <li>{@code effects}, {@code ledger}, {@code opening}: checks and guards, the audit, the schema
 *   <li>{@code health}, {@code housekeeping}, {@code changes}: rollbacks, old rows, hints to others
 *   <li>{@code batches}: lanes, attempts and transactions for any kind of row
 *   <li>{@code connections}: connections, statements, dialects
 *   <li>{@code status}: values
 * </ul>
 *
 * <p>Statements are {@code .sql} resources, schema changes numbered migrations. A dialect is one
 * class and its files.
 */
@NullMarked
package dev.leasehold.store.jdbc;

import org.jspecify.annotations.NullMarked;
