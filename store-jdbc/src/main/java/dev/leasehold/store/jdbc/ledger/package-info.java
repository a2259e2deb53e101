/**
 * The audit ledger beside the leases. {@code JdbcLedger} reads and writes it; {@code Reports}
 * writes the store's own reports in the background; {@code Suspicions} counts tokens that were
 * never issued, which may mean a rollback.
 */
@NullMarked
package dev.leasehold.store.jdbc.ledger;

import org.jspecify.annotations.NullMarked;
