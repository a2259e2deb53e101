/** Doors to what the kernel hides and threads share, for the checks of linearizability. */
@NullMarked
package dev.leasehold.kernel;

import org.jspecify.annotations.NullMarked;
