/**
 * The paused holder, with real processes: A takes a lease, reads an account and checks that it
 * still holds; it is stopped right there; the lease runs out, and B takes over, seals, reads and
 * writes; A goes on, and writes what it had in mind.
 *
 * <p>{@link dev.leasehold.cli.demo.PausedHolder} directs it, {@link
 * dev.leasehold.cli.demo.HolderProgram} is what A and B run. The account is kept at one or more
 * {@linkplain dev.leasehold.cli.demo.Place places}, each behind one kind of fence or, to show what
 * that is for, without it. What came of the late write is not taken from what anybody says: it is
 * read from the account's own log. {@code leasehold demo} tells this as a story; a test plays it
 * with every kind of fence.
 */
@NullMarked
package dev.leasehold.cli.demo;

import org.jspecify.annotations.NullMarked;
