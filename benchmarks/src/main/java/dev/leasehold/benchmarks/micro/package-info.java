/**
 * What single steps cost in one process: a decision, a command on its way to a store, a renewal, a
 * held lease's memory, a fence's check. No disk and no network is in here; what they add is a
 * store's own figure.
 */
@NullMarked
package dev.leasehold.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
