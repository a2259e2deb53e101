/**
 * Marks in the target's own database, so that check and change are one transaction.
 *
 * <p>The database need not be that of the leases, and the target's process needs only a JDBC
 * driver: no kernel, no connection to the issuer. {@link dev.leasehold.fence.jdbc.JdbcFence} keeps
 * the highest token of each key in a row. A change locks that row until it has committed, so that
 * the mark cannot rise. So a seal with a higher token waits for lower changes in progress, and none
 * lands after it.
 *
 * <p>The steps on PostgreSQL:
 *
 * <ul>
 *   <li>a change under the mark's own token locks the row {@code FOR SHARE}: changes under one
 *       token do not wait for each other, and {@code UPDATE} waits for all of them;
 *   <li>a change under a higher token raises the mark in its own transaction;
 *   <li>a seal first <em>announces</em> its token in a row that no change locks, and then raises
 *       the mark. New changes with a lower token are refused from the announcement on. Without it,
 *       an old holder with many connections could keep the row locked for ever, since PostgreSQL
 *       grants new shared locks while an update waits.
 * </ul>
 *
 * <p>On SQLite every change holds the one write lock. On CockroachDB transactions are serializable,
 * and the statements are PostgreSQL's.
 */
@NullMarked
package dev.leasehold.fence.jdbc;

import org.jspecify.annotations.NullMarked;
