/**
 * The lease protocol: one mechanism, many payloads.
 *
 * <p>A <em>lease</em> is temporary authority over a key, kept by a <em>store</em>, and only the
 * store's clock and transactions decide. A <em>grant</em> is one time of holding: one key, one
 * instance, one token. It is renewed, released, handed over, revoked, or simply runs out:
 *
 * <pre>
 *              acquire                    renew (before expiry)
 *   (no grant) --------&gt; OPEN ---------------------------------&gt; OPEN
 *                          |
 *                          | a renewal comes after expiry
 *                          v
 *                        LAPSED   closed to renewal, but current until another grant follows
 *                          |
 *   OPEN or LAPSED --------+--&gt; ENDED  by release, abandon, hand over, revoke, stall,
 *                                      takeover after expiry, or an advanced incarnation
 * </pre>
 *
 * <p>Each new grant of a key has a strictly greater token, for ever. A grant that has ended never
 * becomes valid again. A holder cannot know by itself that its grant has ended, so the target of
 * its changes checks the token: that is the fence, in {@link dev.leasehold.fence}.
 *
 * <p>What becomes of leases is told to {@linkplain dev.leasehold.kernel.model.LeaseObserver
 * observers}, which {@link dev.leasehold.kernel.ObserverDispatch} composes: the same events, with
 * the same meaning, from a process that holds leases and from a server that grants them.
 *
 * <p>This package is what a holder calls. The values of the protocol are in {@link
 * dev.leasehold.kernel.model}, commands and outcomes in {@link dev.leasehold.kernel.spi}; all
 * decisions are in {@link dev.leasehold.kernel.rules}.
 */
@NullMarked
package dev.leasehold.kernel;

import org.jspecify.annotations.NullMarked;
