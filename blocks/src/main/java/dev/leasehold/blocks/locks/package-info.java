/**
 * Locks that are leases: each has a token, expires by itself, and reports its loss to its holder.
 * They belong to no thread and are not reentrant. Work whose lock is held is skipped, unless the
 * caller says how long to wait.
 *
 * <p>Start at {@link dev.leasehold.blocks.locks.Locks}. There is no lock object: the holder of a
 * lock has a {@link dev.leasehold.kernel.Lease}, with all that a lease can do, fences included. An
 * attempt returns an {@link dev.leasehold.kernel.Acquisition}, work under a lock a {@link
 * dev.leasehold.kernel.WorkResult}. {@link dev.leasehold.blocks.locks.Permits} are several locks of
 * which any will do. {@link dev.leasehold.blocks.locks.LockAssert} is for code that was not handed
 * its lease.
 *
 * <p>The kernel renews, limits and releases.
 */
@NullMarked
package dev.leasehold.blocks.locks;

import org.jspecify.annotations.NullMarked;
