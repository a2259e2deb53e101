/**
 * A deterministic simulator of processes that hold leases, of one store, and of all that goes wrong
 * between them.
 *
 * <p>One seed is one run. Everything that has an order or a length is drawn from the seed: latency,
 * crashes, pauses, lost and late messages, steps of clocks. The processes run the kernel's own
 * state machines; the store is the model store behind simulated wires; user code is a loop that
 * acquires, seals, reads, checks its trust and writes to three targets: one with a fence, one
 * inside the store, and one without any fence, which is there to be corrupted.
 *
 * <pre>
 *   Actor -> Holdings (the kernel's) -> SimWire -> SimStore (the model)
 *      \-> Targets                        ^          |
 *   Mayhem: crashes, pauses, outages -----'          '-> hints, the log
 *   Judge: looks at every event; HistoryChecks: look at the whole run
 * </pre>
 *
 * <p>{@link dev.leasehold.testkit.sim.Simulation#run(long)} gives a report. A report with findings
 * has a trace that a person can read, and the same seed gives the same trace, to the byte.
 */
@NullMarked
package dev.leasehold.testkit.sim;

import org.jspecify.annotations.NullMarked;
