/**
 * What joins the state machines of {@code kernel.engine} to a store. Where events and whatever may
 * take its time run is given to it, so that a simulator runs these very classes; an application has
 * no use for them.
 */
@NullMarked
package dev.leasehold.kernel.wires;

import org.jspecify.annotations.NullMarked;
