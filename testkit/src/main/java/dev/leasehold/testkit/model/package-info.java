/**
 * A store as plain as it can be: the rules and a few maps, for one thread, with a log of all that
 * it decided. Other stores are compared with it, and simulations run on it.
 *
 * <p>{@link dev.leasehold.testkit.model.ModelStore} takes its {@link
 * dev.leasehold.testkit.model.Rules} as an argument: that is where a test of a test plants a
 * defect. {@link dev.leasehold.testkit.model.RecordValidator} says what must hold of every record
 * of every store, without asking the rules.
 */
@NullMarked
package dev.leasehold.testkit.model;

import org.jspecify.annotations.NullMarked;
