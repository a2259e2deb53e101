/** Shows that every case of the comparison runs; what it measures is for a quiet machine. */
@NullMarked
package dev.leasehold.benchmarks.throughput;

import org.jspecify.annotations.NullMarked;
