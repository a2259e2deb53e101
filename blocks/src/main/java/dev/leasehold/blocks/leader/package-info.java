/**
 * Elects one leader among replicas, for a term.
 *
 * <p>Start at {@link dev.leasehold.blocks.leader.Election}: it acquires a lease with the key {@code
 * leader/<name>}, and while it holds that, work may run under a {@link
 * dev.leasehold.blocks.leader.Term}: as a {@link dev.leasehold.blocks.leader.LeaderLoop}, or by
 * {@code whileLeading}. The election tells work to stop, interrupts it and waits for it: a replica
 * is no candidate while work of its last term still runs.
 *
 * <p>Inside there are two state machines, which take one event at a time and have no thread, lock
 * or clock: {@code ElectionEngine} decides about the role and returns {@code Action}s, {@code
 * TermWork} starts the loops of one term and checks that all of them progress. {@code
 * ElectionRunner} and {@code TermRunner} perform what they decide, with the lease, threads and
 * listeners. They run in the turns of {@code Leases}, as its own state machines do.
 *
 * <p>A term is no proof: a paused leader cannot know that it is over. So what a leader changes
 * checks the token of its claim.
 */
@NullMarked
package dev.leasehold.blocks.leader;

import org.jspecify.annotations.NullMarked;
