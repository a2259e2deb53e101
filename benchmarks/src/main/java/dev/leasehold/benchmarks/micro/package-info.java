/**
 * What single steps cost in one process: a decision, a command on its way to a store, a renewal, a
 * held lease's memory, a fence's check. These benchmarks use no disk and no network, whose costs
 * are measured with the stores.
 */
@NullMarked
package dev.leasehold.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
