/**
 * How work gets to the database, for every kind of row: {@code Lane} bounds threads and queues,
 * {@code Attempts} repeats a transaction after serialization failures and lost connections, {@code
 * Backoff} spaces them, and {@code Engine} is what a block sees of it: read, transact, change.
 *
 * <p>Nothing here knows leases or objects.
 */
@NullMarked
package dev.leasehold.store.jdbc.batches;

import org.jspecify.annotations.NullMarked;
