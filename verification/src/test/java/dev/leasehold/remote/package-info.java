/** A door to what tests elsewhere cannot reach. */
@NullMarked
package dev.leasehold.remote;

import org.jspecify.annotations.NullMarked;
