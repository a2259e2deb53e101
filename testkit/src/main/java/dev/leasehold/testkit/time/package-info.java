/**
 * Time in a test's hand: nothing here moves unless it is told to, so no test sleeps and every run
 * is the same.
 *
 * <p>{@link dev.leasehold.testkit.time.ManualTicker} is a process's elapsed time, {@link
 * dev.leasehold.testkit.time.ManualClock} a store's wall clock, which may also step back, and
 * {@link dev.leasehold.testkit.time.ManualScheduler} runs what is due when its ticker is turned.
 */
@NullMarked
package dev.leasehold.testkit.time;

import org.jspecify.annotations.NullMarked;
