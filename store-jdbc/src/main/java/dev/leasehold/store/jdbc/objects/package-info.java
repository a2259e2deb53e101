/**
 * Versioned objects as rows, beside the leases that fence them. Start at {@code JdbcObjectStore};
 * {@code ObjectWrites} runs a batch, {@code ObjectBatch} decides it over locked rows, {@code
 * ObjectRows} is what differs between SQLite and servers.
 */
@NullMarked
package dev.leasehold.store.jdbc.objects;

import org.jspecify.annotations.NullMarked;
