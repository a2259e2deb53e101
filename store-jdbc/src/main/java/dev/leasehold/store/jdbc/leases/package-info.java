/**
 * Leases as rows, and how a batch of commands is decided. Start at {@code LeaseTable}.
 *
 * <p>Unusual commands are decided by the rules of the kernel over locked rows ({@code Ruling}). On
 * PostgreSQL and CockroachDB, one statement decides a whole batch of the usual ones (renew,
 * release, acquire a free key): {@code ArrayStatements}, tested command by command against the
 * rules. {@code ServerBatch} defines the order of these attempts. On SQLite the rules alone decide,
 * a batch in one transaction ({@code SqliteBatch}). What all blocks share is in {@code batches}.
 */
@NullMarked
package dev.leasehold.store.jdbc.leases;

import org.jspecify.annotations.NullMarked;
