/**
 * The fence: it stops an old holder.
 *
 * <p>A lease says which process may act for now; a target compares its {@link
 * dev.leasehold.fence.Token} before it admits a change. Tokens of a key only grow, so a target that
 * remembers the highest one that it has admitted, or was sealed with, can refuse a holder with a
 * lower one, however long that holder was paused.
 *
 * <p>A holder that wants to change a target brings a {@link dev.leasehold.fence.Claim}. The
 * target's {@link dev.leasehold.fence.Fence} answers with an {@link dev.leasehold.fence.Admission},
 * records each refusal in a {@link dev.leasehold.fence.RefusalTrail}, and states in a {@link
 * dev.leasehold.fence.Guarantee} what it can stop. Three properties make it a fence:
 *
 * <ul>
 *   <li>the check is one step with the change. A check before the change is only advice;
 *   <li>the mark lasts at least as long as the target;
 *   <li>a successor <em>seals</em> its targets before it reads them. A mark stops the old holder
 *       only once it has seen the new token, and the old holder may still run when the new one
 *       starts.
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
