/** Shows that every benchmark runs; what it measures is for a quiet machine. */
@NullMarked
package dev.leasehold.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
