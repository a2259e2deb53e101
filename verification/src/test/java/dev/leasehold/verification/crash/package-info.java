/**
 * Processes that are killed and stopped while they hold leases, and servers that are killed while
 * they serve requests.
 *
 * <p>A {@link dev.leasehold.verification.crash.Worker} is a process of its own. It writes its
 * history to a file before it sends anything and before it uses an answer, and reports its progress
 * on its standard output, so that the {@link dev.leasehold.verification.crash.WorkerFleet} that
 * started it knows when to strike. What it was told is then compared with what the store and the
 * targets recorded.
 */
@NullMarked
package dev.leasehold.verification.crash;

import org.jspecify.annotations.NullMarked;
