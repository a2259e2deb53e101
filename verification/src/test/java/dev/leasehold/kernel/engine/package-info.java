/** A door to the lease on the holder's side, for the checks of what threads share. */
@NullMarked
package dev.leasehold.kernel.engine;

import org.jspecify.annotations.NullMarked;
