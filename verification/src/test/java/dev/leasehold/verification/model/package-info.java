/**
 * The protocol's TLA+ model, checked by TLC with every build.
 *
 * <p>The model itself is in the {@code spec} folder: one module and a configuration for each
 * question asked of it. The protocol as it is must hold; each design that leaves out one safeguard
 * must break the invariant that safeguard is for, or the model would prove nothing; and each
 * situation the protocol is about must be reachable, or it would hold for want of anything
 * happening.
 */
@NullMarked
package dev.leasehold.verification.model;

import org.jspecify.annotations.NullMarked;
