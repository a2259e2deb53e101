/**
 * What the stores do in a second, beside the bare limit of the same server and beside the rivals,
 * all in one run. Start at {@link dev.leasehold.benchmarks.throughput.StoreComparison}.
 *
 * <p>Each of the {@code *Case} classes measures one row of the table of targets. Whatever is
 * compared takes turns in rounds, so that what else the machine does meets all alike, and a figure
 * is the median of its rounds.
 */
@NullMarked
package dev.leasehold.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
