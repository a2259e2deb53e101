/** A door to the system's ticker, for the checks of what threads share. */
@NullMarked
package dev.leasehold.kernel.spi;

import org.jspecify.annotations.NullMarked;
