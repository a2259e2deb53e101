/**
 * Versioned objects as rows, beside the leases that fence them. Start at {@code JdbcObjectStore}.
 * {@code ObjectTable} describes objects to an engine, {@code ObjectBatch} settles usual writes by
 * array statements, {@code ObjectRows} decides over locked rows, and its two subclasses are what
 * differs between SQLite and servers.
 */
@NullMarked
package dev.leasehold.store.jdbc.objects;

import org.jspecify.annotations.NullMarked;
