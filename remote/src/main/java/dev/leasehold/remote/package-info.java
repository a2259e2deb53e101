/**
 * Leases through a server. {@link dev.leasehold.remote.wire} is what goes over the wire, for both
 * sides: a client's class path has no server on it.
 */
@NullMarked
package dev.leasehold.remote;

import org.jspecify.annotations.NullMarked;
