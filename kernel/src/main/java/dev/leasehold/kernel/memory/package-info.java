/** The reference store: the rules behind a lock, for one process and as long as it lives. */
@NullMarked
package dev.leasehold.kernel.memory;

import org.jspecify.annotations.NullMarked;
