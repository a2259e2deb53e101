/**
 * Leases and objects through a server, as on a database.
 *
 * <p>{@link dev.leasehold.remote.RemoteLeaseStore} is a store like any other, to be given to {@code
 * Leases.on}. It sends batches of commands over HTTP, under the request ids that they carry, to the
 * first of its servers that answers. {@code objects()} are the versioned objects beside the leases,
 * for {@code VersionedObjects.on}. {@link dev.leasehold.remote.wire} is what goes over the wire,
 * for both sides: a client's class path has no server on it.
 *
 * <p>What is to be in one transaction with the user's own writes cannot be had through a server: a
 * check at effect and guarded tables need the database itself.
 */
@NullMarked
package dev.leasehold.remote;

import org.jspecify.annotations.NullMarked;
