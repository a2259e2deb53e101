/** The reference store: the rules behind a lock. It lives as long as its process. */
@NullMarked
package dev.leasehold.kernel.memory;

import org.jspecify.annotations.NullMarked;
