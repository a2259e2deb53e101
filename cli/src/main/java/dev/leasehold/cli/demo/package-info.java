/**
 * The paused holder, with real processes: A takes a lease, reads an account and checks that it
 * still holds; it is stopped right there; the lease runs out, and B takes over, seals, reads and
 * writes; A goes on, and makes the write that it had prepared.
 *
 * <p>{@link dev.leasehold.cli.demo.PausedHolder} directs it, {@link
 * dev.leasehold.cli.demo.HolderProgram} is what A and B run. The account is kept at one or more
 * {@linkplain dev.leasehold.cli.demo.Place places}, each behind one kind of fence or, to show what
 * the fence is for, without it. The result of the late write is read from the account's own log,
 * not taken from the holders' messages. {@code leasehold demo} tells this as a story, with a mark
 * in the account's database as the fence. A test plays it with every kind of fence and with pauses
 * inside of writes, using its own {@link dev.leasehold.cli.demo.Accounts} and {@linkplain
 * dev.leasehold.cli.demo.Pause pauses}.
 */
@NullMarked
package dev.leasehold.cli.demo;

import org.jspecify.annotations.NullMarked;
