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
 * <p>A {@link dev.leasehold.examples.gateway.Sandbox} is a record of what is wanted and of how far
 * it has come. Users write to it through {@link dev.leasehold.examples.gateway.Api} on whatever
 * replica they reach, and a version tells them when somebody else was faster. What was wanted is
 * brought about by the {@link dev.leasehold.examples.gateway.Reconciler}, in two loops that run
 * only on the leader: one follows the driver's events, the other looks at everything now and then.
 *
 * <p>A leader may be stopped at any moment, for any time, and go on without knowing. So all that it
 * writes brings the claim of its term: to the objects, which check it in the transaction of the
 * write, and to the {@link dev.leasehold.examples.gateway.Driver}, which keeps a mark of the
 * highest it has seen. Versions alone would not be enough: the old leader's knowledge of the driver
 * can be out of date although nobody has touched the record.
 */
@NullMarked
package dev.leasehold.examples.gateway;

import org.jspecify.annotations.NullMarked;
