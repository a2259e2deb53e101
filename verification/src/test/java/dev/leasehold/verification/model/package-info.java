/**
 * The protocol's TLA+ model, checked by TLC with every build.
 *
 * <p>The model itself is in the {@code spec} folder: one module and a configuration for each
 * question asked of it. The protocol itself must hold. Each design without one safeguard must break
 * the invariant of that safeguard, or the model would prove nothing. Each situation that the
 * protocol is about must be reachable, or the invariants could hold only because nothing happens.
 */
@NullMarked
package dev.leasehold.verification.model;

import org.jspecify.annotations.NullMarked;
