/**
 * Leases and objects through a server, with the same interface as on a database.
 *
 * <p>{@link dev.leasehold.remote.RemoteStore} is a store like any other, for {@code Leases.on}. It
 * sends batches of commands over HTTP, under their own request ids, to the first of its servers
 * that answers. {@code objects()} returns the versioned objects beside the leases, for {@code
 * VersionedObjects.on}. {@link dev.leasehold.remote.wire} is the wire format for both sides, so
 * that a client needs no server on its class path.
 *
 * <p>A server cannot take part in the user's own transactions: a check at effect and guarded tables
 * need the database itself.
 */
@NullMarked
package dev.leasehold.remote;

import org.jspecify.annotations.NullMarked;
