/**
 * The throughput of the stores, compared with the bare limit of the same server and with the
 * rivals, all in one run. Start at {@link dev.leasehold.benchmarks.throughput.StoreComparison}.
 *
 * <p>Each of the {@code *Case} classes measures one row of the table of targets. Contestants take
 * turns in rounds, so that other load on the machine affects all alike, and a figure is the median
 * of its rounds.
 */
@NullMarked
package dev.leasehold.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
