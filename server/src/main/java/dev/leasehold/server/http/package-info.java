/**
 * The API over HTTP. A request passes {@link dev.leasehold.server.http.RequestDispatcher}, which
 * identifies the caller and finds the route; then one endpoint, which parses it, calls the store
 * and renders the outcome. The rules about leases are in the store, not here.
 *
 * <p>All commands in flight share batches. An acquire that waits is kept in {@link
 * dev.leasehold.server.http.WaitingRequests}; {@link dev.leasehold.server.http.ChangeHub} passes
 * the changes that a store reports on to it and to event streams.
 *
 * <p>Endpoints report what became of leases to {@code Call.observer()}: metrics, the request's
 * span, and the observers of the program that embeds the server.
 */
@NullMarked
package dev.leasehold.server.http;

import org.jspecify.annotations.NullMarked;
