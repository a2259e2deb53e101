/**
 * The lease protocol: one mechanism, many payloads.
 *
 * <p>A <em>lease</em> is temporary authority over a key, kept by a <em>store</em> whose clock and
 * transactions decide; nobody else's do. A <em>grant</em> is one tenure of one key by one instance
 * under one token. It is renewed, released, handed over, revoked, or simply runs out:
 *
 * <pre>
 *              acquire                    renew (before expiry)
 *   (no grant) --------&gt; OPEN ---------------------------------&gt; OPEN
 *                          |
 *                          | a renewal comes after expiry
 *                          v
 *                        LAPSED   closed to renewal for good, but current until somebody follows
 *                          |
 *   OPEN or LAPSED --------+--&gt; ENDED  by release, abandon, hand over, revoke, stall,
 *                                      takeover after expiry, or an advanced incarnation
 * </pre>
 *
 * <p>Each new grant of a key has a strictly greater token, for ever. A grant that has ended never
 * becomes valid again. The holder cannot know from the inside that it is stale, so what it changes
 * checks the token: that is the fence, in {@link dev.leasehold.fence}.
 *
 * <p>This package has the words of the protocol as values. Commands and outcomes are in {@link
 * dev.leasehold.kernel.spi}; every decision is in {@link dev.leasehold.kernel.rules}, once.
 */
@NullMarked
package dev.leasehold.kernel;

import org.jspecify.annotations.NullMarked;
