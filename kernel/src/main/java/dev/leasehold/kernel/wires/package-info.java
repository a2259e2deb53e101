/**
 * Connects the state machines of {@code kernel.engine} to a store. Its user gives it the executors
 * for events and for tasks that may block, so that a simulator runs these same classes; an
 * application does not need them.
 */
@NullMarked
package dev.leasehold.kernel.wires;

import org.jspecify.annotations.NullMarked;
