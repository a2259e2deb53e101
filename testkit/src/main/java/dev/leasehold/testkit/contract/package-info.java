/**
 * The contract of a store, as a suite that it passes by subclassing once.
 *
 * <p>Start at {@link dev.leasehold.testkit.contract.StoreUnderTest}: it is all that a new store has
 * to provide.
 */
@NullMarked
package dev.leasehold.testkit.contract;

import org.jspecify.annotations.NullMarked;
