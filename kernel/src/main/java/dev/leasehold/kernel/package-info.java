/** The lease protocol, as its users call it. */
@NullMarked
package dev.leasehold.kernel;

import org.jspecify.annotations.NullMarked;
