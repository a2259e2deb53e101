/**
 * A gateway of sandboxes: every replica serves writes, one of them reconciles.
 *
 * <pre>
 *   users ---> Gateway (any replica) ---> versioned objects <--- Reconciler (where the lease is)
 *              Api: compare and set                               |  under its term's claim
 *                                                                 v
 *                                                              Driver: runs the sandboxes
 * </pre>
 *
 * <p>A {@link dev.leasehold.examples.gateway.Sandbox} records the wanted state and the progress.
 * Users write to it through {@link dev.leasehold.examples.gateway.Api} on any replica, and its
 * version shows them when another writer was faster. The {@link
 * dev.leasehold.examples.gateway.Reconciler} makes it happen, in two loops that run only on the
 * leader: one follows the driver's events, the other judges everything from time to time.
 *
 * <p>A leader may be suspended at any moment, for any time, and continue without noticing. So all
 * its writes bring the claim of its term: to the objects, which check it in the transaction of the
 * write, and to the {@link dev.leasehold.examples.gateway.Driver}, which keeps a mark of the
 * highest token that it has seen. Versions alone would not be enough: the old leader's knowledge of
 * the driver can be outdated although the record has not changed.
 */
@NullMarked
package dev.leasehold.examples.gateway;

import org.jspecify.annotations.NullMarked;
