/**
 * Hints that rows have changed, from one process to the others. Start at {@code Hints}. They are
 * sent beside the transaction and after its commit ({@code Outbox}), and may be lost: a waiter has
 * a timer of its own.
 *
 * <p>A process reads them from a {@code ChangeSource}: PostgreSQL's notifications, or a table of
 * changes that is read in the order of its numbers (SQLite) or of its times (CockroachDB).
 */
@NullMarked
package dev.leasehold.store.jdbc.changes;

import org.jspecify.annotations.NullMarked;
