/**
 * Locks that are leases: each has a token, runs out by itself, and is told of its loss. They belong
 * to no thread and are not reentrant. Work that finds its lock held is skipped unless it says how
 * long it would wait.
 *
 * <p>Start at {@link dev.leasehold.blocks.locks.Locks}. There is no lock object of its own: who has
 * a lock has a {@link dev.leasehold.kernel.Lease}, with all that a lease can do, fences included;
 * what came of asking is an {@link dev.leasehold.kernel.Acquisition}, what became of work a {@link
 * dev.leasehold.kernel.WorkResult}. {@link dev.leasehold.blocks.locks.Permits} are several locks of
 * which any will do. {@link dev.leasehold.blocks.locks.LockAssert} is for code that was not handed
 * its lease.
 *
 * <p>Everything that takes time (renewal, at least, at most, giving back) is the kernel's.
 */
@NullMarked
package dev.leasehold.blocks.locks;

import org.jspecify.annotations.NullMarked;
