/**
 * How the calls of many threads become a few batches, for every block.
 *
 * <p>A {@link dev.leasehold.kernel.batches.Gatherer} is a state machine: no thread, lock or clock
 * is in here, so that a simulator runs these very classes. A block describes its commands by a
 * {@link dev.leasehold.kernel.spi.CommandKind}; {@link dev.leasehold.kernel.wires.SharedCalls} puts
 * threads around it.
 */
@NullMarked
package dev.leasehold.kernel.batches;

import org.jspecify.annotations.NullMarked;
