/**
 * Leases as rows: how a batch of commands is decided. Start at {@code LeaseEngine}.
 *
 * <p>Unusual commands are decided by the rules of the kernel over locked rows ({@code Ruling}). On
 * PostgreSQL and CockroachDB the usual ones (renew, release, acquire what is free) are one
 * statement for a whole batch ({@code ArrayStatements}), tested command by command against the
 * rules; {@code ServerBatch} is the order of these attempts, and {@code Parking} keeps the batches
 * whose rows other transactions have locked. On SQLite the rules alone decide, a batch in one
 * transaction ({@code SqliteBatch}).
 */
@NullMarked
package dev.leasehold.store.jdbc.leases;

import org.jspecify.annotations.NullMarked;
