/**
 * The API over HTTP. A request goes through {@link dev.leasehold.server.http.Front}: who it comes
 * from, which route it takes; then through one endpoint, which parses, calls and renders. No rule
 * about leases is here: those are the store's.
 *
 * <p>All commands in flight share batches. An acquire that waits stands in {@link
 * dev.leasehold.server.http.WaitingLines}; what stores tell of changes goes through {@link
 * dev.leasehold.server.http.ChangeHub} to these lines and to event streams.
 */
@NullMarked
package dev.leasehold.server.http;

import org.jspecify.annotations.NullMarked;
