/** A server for leases over HTTP, to be embedded or run by the command line. */
@NullMarked
package dev.leasehold.server;

import org.jspecify.annotations.NullMarked;
