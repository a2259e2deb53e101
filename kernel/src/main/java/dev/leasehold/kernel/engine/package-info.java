/**
 * The holder's side of a lease, as single-threaded state machines.
 *
 * <p>A {@link dev.leasehold.kernel.engine.Holdings} is fed one event at a time: a call, a reply, a
 * tick. It takes time from a ticker, waits through a scheduler, sends through a {@link
 * dev.leasehold.kernel.batches.Wire} and draws jitter from a generator, all of them given to it. No
 * thread, lock or clock is in here, so that a simulator runs these very classes.
 *
 * <pre>
 *   call -> Contention (one per key: only its head asks the store)  -.
 *   release, hand over, abandon -> Delivery (until it is answered)  --+-> Gatherer -> wire
 *   held leases -> Keeper (renewals, deadlines) ---------------------------------> wire of its own
 * </pre>
 *
 * <p>The trust in a grant ends at {@code sent + remaining - margin} on the ticker, where {@code
 * sent} is when the answered attempt was sent. It moves only forward, and only when the store has
 * answered Granted or Renewed.
 */
@NullMarked
package dev.leasehold.kernel.engine;

import org.jspecify.annotations.NullMarked;
