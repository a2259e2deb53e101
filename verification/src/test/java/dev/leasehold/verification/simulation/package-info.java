/**
 * A deterministic simulator of processes that hold leases, of one store, and of the faults between
 * them.
 *
 * <p>One seed is one run. Everything that has an order or a length is drawn from the seed: latency,
 * crashes, pauses, lost and late messages, steps of clocks. The processes run the kernel's own
 * state machines, and read time through the system's ticker over the clocks of a simulated machine.
 * User code is a loop that acquires, seals, reads, checks its trust and writes to three targets:
 * one with a fence, one inside the store, and one without any fence, as the control.
 *
 * <p>The model store decides and keeps the records. Depending on the seed, a command is carried out
 * at once, or as in a database: transactions that lock rows, wait or skip, and commit after a
 * while, over a few connections in each process.
 *
 * <pre>
 *   Actor -> Holdings (the kernel's) -> SimWire -> at once ------------------> SimStore (the model)
 *      \-> Targets                        ^   \-> Lanes -> Database (locks) ---'    |
 *   FaultInjector: crashes, outages ------'      '-- RollbackGuard (the chain)      '-> hints, log
 *   Judge: looks at every event; HistoryChecks: look at the whole run
 * </pre>
 *
 * <p>{@link dev.leasehold.verification.simulation.Simulation#run(long)} gives a report. A report
 * with findings has a trace that a person can read, and the same seed gives the same trace, to the
 * byte. {@link dev.leasehold.verification.simulation.Plant} names defects of stores that some seed
 * must find.
 *
 * <p>The tests run many seeds and judge each by every invariant ({@code SeedsTest}), and prove that
 * the simulator sees defects: planted ones of the store ({@code PlantsTest}), and mutated copies of
 * the holder's side ({@code MutantsTest}), each of which some seed must catch.
 */
@NullMarked
package dev.leasehold.verification.simulation;

import org.jspecify.annotations.NullMarked;
