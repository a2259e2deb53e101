/**
 * The TLA+ models of the protocol and of row leases, checked by TLC with every build.
 *
 * <p>The models are in the {@code spec} folder: a module each, and a configuration for each
 * question asked of it. The protocol itself must hold. Each design without one safeguard must break
 * the invariant of that safeguard, or its model would prove nothing. Each situation that the
 * protocol is about must be reachable, or the invariants could hold only because nothing happens.
 */
@NullMarked
package dev.leasehold.verification.model;

import org.jspecify.annotations.NullMarked;
