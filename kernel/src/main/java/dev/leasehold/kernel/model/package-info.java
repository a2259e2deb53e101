/**
 * The values of the protocol: what a store keeps of a key ({@link
 * dev.leasehold.kernel.model.LeaseRecord}, {@link dev.leasehold.kernel.model.Grant}), who holds it,
 * on which terms, how a grant ends, and what observers are told. They know neither the store nor
 * its callers, so that rules, stores and wire can use them.
 */
@NullMarked
package dev.leasehold.kernel.model;

import org.jspecify.annotations.NullMarked;
