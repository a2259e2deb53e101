/**
 * What the charters promise, beside what is known of their targets: where an old holder's write can
 * still land, and what to do about it. {@link dev.leasehold.kernel.audit.Audit} is a pure function
 * of the facts; it reads no clock and asks nobody.
 */
@NullMarked
package dev.leasehold.kernel.audit;

import org.jspecify.annotations.NullMarked;
