/**
 * Hints from one process to the others that rows have changed. Start at {@code Hints}. {@code
 * Outbox} sends them outside the transaction and after its commit. They may be lost, so a waiter
 * has a timer of its own.
 *
 * <p>A process reads them from a {@code ChangeSource}: PostgreSQL's notifications, or a table of
 * changes that it reads in the order of numbers (SQLite) or of times (CockroachDB).
 */
@NullMarked
package dev.leasehold.store.jdbc.changes;

import org.jspecify.annotations.NullMarked;
