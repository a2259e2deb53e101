/**
 * Compares the promises of charters with what is known of their targets: where an old holder's
 * write can still land, and what to do about it. {@link dev.leasehold.kernel.audit.Audit} is a pure
 * function of the facts: it reads no clock and sends no request.
 */
@NullMarked
package dev.leasehold.kernel.audit;

import org.jspecify.annotations.NullMarked;
