/**
 * The fence: what stops an old owner.
 *
 * <p>A lease says who may act for now; its {@link dev.leasehold.fence.Token} is what a target
 * compares before it lets a change in. Tokens of a key only grow, so a target that remembers the
 * highest one it has admitted, or been sealed with, can refuse whoever comes with a lower one,
 * however long that owner was paused and whatever it believes.
 *
 * <p>This package needs nothing but the JDK, so that a service behind the lease can check tokens
 * without running the lease kernel.
 */
@NullMarked
package dev.leasehold.fence;

import org.jspecify.annotations.NullMarked;
