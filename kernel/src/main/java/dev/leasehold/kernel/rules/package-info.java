/**
 * Every decision of the protocol, once: {@code decide(state, command, now, limits)}.
 *
 * <p>Pure functions of their arguments: no clock, no thread, no randomness, no input or output. The
 * memory store is these functions behind a lock; every other store is tested against them, command
 * by command. Start at {@link dev.leasehold.kernel.rules.LeaseRules}.
 */
@NullMarked
package dev.leasehold.kernel.rules;

import org.jspecify.annotations.NullMarked;
