/**
 * Marks in the target's own database, so that check and change are one transaction.
 *
 * <p>The database need not be the one that the leases are in, and this side needs nothing but a
 * JDBC driver: no kernel, no connection to the issuer. {@link dev.leasehold.fence.jdbc.JdbcFence}
 * keeps the highest token of each key in a row. A change locks that row against being raised until
 * it has committed, so a seal with a higher token waits for the lower changes under way, and none
 * lands after it.
 *
 * <p>How PostgreSQL is asked, in the order of the steps:
 *
 * <ul>
 *   <li>a change under the token that the mark stands at takes the row {@code FOR SHARE}: changes
 *       under one token do not wait for each other, and {@code UPDATE} waits for all of them;
 *   <li>a change under a higher token raises the mark in its own transaction;
 *   <li>a seal first <em>announces</em> its token in a row that no change locks, and then raises
 *       the mark. New changes with a lower token are refused from the announcement on; without it,
 *       an old holder with many connections could keep the row locked for ever, since PostgreSQL
 *       lets new shared locks pass one that waits to update.
 * </ul>
 *
 * <p>On SQLite every change has the one write lock. On CockroachDB transactions are serializable,
 * and the statements are PostgreSQL's.
 */
@NullMarked
package dev.leasehold.fence.jdbc;

import org.jspecify.annotations.NullMarked;
