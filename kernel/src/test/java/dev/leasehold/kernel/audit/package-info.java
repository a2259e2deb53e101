/** Each rule of the audit, with a planted hole that it must find. */
@NullMarked
package dev.leasehold.kernel.audit;

import org.jspecify.annotations.NullMarked;
