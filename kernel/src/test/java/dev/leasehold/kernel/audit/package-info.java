/** Each rule of the audit, with a hole that was planted for it. */
@NullMarked
package dev.leasehold.kernel.audit;

import org.jspecify.annotations.NullMarked;
