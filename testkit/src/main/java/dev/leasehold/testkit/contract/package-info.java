/**
 * The contract of a store, as a suite that it passes by subclassing once.
 *
 * <p>{@link dev.leasehold.testkit.contract.StoreUnderTest} is all that a new store has to provide,
 * and {@link dev.leasehold.testkit.contract.LeaseStoreContract} is what it subclasses. The groups
 * of the suite go through the rules one by one; {@link
 * dev.leasehold.testkit.contract.LeaseDifferential} compares the store with the model for as many
 * random steps as there is time for, and shrinks what it finds to a script that a person can read.
 * What is not about leases stands in {@link dev.leasehold.testkit.suite}.
 */
@NullMarked
package dev.leasehold.testkit.contract;

import org.jspecify.annotations.NullMarked;
