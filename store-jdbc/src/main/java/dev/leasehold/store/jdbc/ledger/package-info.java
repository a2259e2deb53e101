/**
 * The audit ledger beside the leases. {@code JdbcLedger} reads and writes it; {@code Reports}
 * writes what may be written late, in the background; {@code Suspicions} counts tokens that were
 * never issued, the sign of a rollback.
 */
@NullMarked
package dev.leasehold.store.jdbc.ledger;

import org.jspecify.annotations.NullMarked;
