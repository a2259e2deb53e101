/**
 * The fence: what stops an old owner.
 *
 * <p>A lease says who may act for now; its {@link dev.leasehold.fence.Token} is what a target
 * compares before it lets a change in. Tokens of a key only grow, so a target that remembers the
 * highest one it has admitted, or been sealed with, can refuse whoever comes with a lower one,
 * however long that owner was paused and whatever it believes.
 *
 * <p>Whoever wants to change a target brings a {@link dev.leasehold.fence.Claim}; the target's
 * {@link dev.leasehold.fence.Fence} answers with an {@link dev.leasehold.fence.Admission}, keeps
 * each refusal in a {@link dev.leasehold.fence.RefusalTrail}, and says of itself in a {@link
 * dev.leasehold.fence.Guarantee} what it cannot stop. Three things make it a fence and not a polite
 * question:
 *
 * <ul>
 *   <li>the check is one step with the change. A check that is only asked beforehand is advice;
 *   <li>the mark lasts at least as long as the target;
 *   <li>a successor <em>seals</em> its targets before it reads them. A mark stops the old holder
 *       only once it has seen the new token: "new owner started" is not "old owner stopped".
 * </ul>
 *
 * <p>{@link dev.leasehold.fence.MemoryFence} does this for targets in memory. Marks in the target's
 * own database are in {@code dev.leasehold.fence.jdbc}, tokens on HTTP requests in {@code
 * dev.leasehold.fence.http}, files in {@code dev.leasehold.fence.files}.
 *
 * <p>This package needs nothing but the JDK, so that a service behind the lease can check tokens
 * without running the lease kernel.
 */
@NullMarked
package dev.leasehold.fence;

import org.jspecify.annotations.NullMarked;
