/**
 * Processes that are killed and stopped while they hold leases, and servers that are killed while
 * they are asked.
 *
 * <p>A {@link dev.leasehold.verification.crash.Worker} is a process of its own. It writes its
 * history to a file before it sends anything and before it uses an answer, and says on its standard
 * output how far it has come, so that whoever started it ({@link
 * dev.leasehold.verification.crash.Crew}) knows when to strike. What it was told is then held
 * against what the store and the targets wrote themselves.
 */
@NullMarked
package dev.leasehold.verification.crash;

import org.jspecify.annotations.NullMarked;
