/**
 * One in charge among replicas, for a term.
 *
 * <p>Start at {@link dev.leasehold.blocks.leader.Election}: it stands for a lease with the key
 * {@code leader/<name>}, and while it holds that, work may run under a {@link
 * dev.leasehold.blocks.leader.Term}: as a {@link dev.leasehold.blocks.leader.LeaderLoop}, or by
 * {@code whileLeading}. Work is told to stop, interrupted, and waited for: nobody is a candidate
 * while something of its last term still runs.
 *
 * <p>Inside there are two state machines, fed one event at a time and without a thread, lock or
 * clock: {@code ElectionEngine} decides about the role and says what is to be done as {@code
 * Action}s, {@code TermWork} runs the loops of one term and finds out whether all of them move.
 * {@code ElectionRunner} and {@code TermRunner} are the world around them: the lease, the threads,
 * whoever is told. They run in the turns of {@code Leases}, as its own state machines do.
 *
 * <p>A term is no proof. Who was paused cannot know that it is over, so what a leader changes
 * checks the token of the claim that it brings.
 */
@NullMarked
package dev.leasehold.blocks.leader;

import org.jspecify.annotations.NullMarked;
