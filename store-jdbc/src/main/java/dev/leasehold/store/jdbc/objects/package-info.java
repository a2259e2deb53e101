/**
 * Versioned objects as rows, beside the leases that fence them. Start at {@code JdbcObjectStore}.
 * {@code ObjectTable} describes objects to an engine, {@code ObjectWrites} defines the order of
 * attempts for a batch on a server, {@code ObjectBatch} decides over locked rows, and {@code
 * ObjectRows} is what differs between SQLite and servers.
 */
@NullMarked
package dev.leasehold.store.jdbc.objects;

import org.jspecify.annotations.NullMarked;
