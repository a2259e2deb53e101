/** A door to classes that tests in other packages cannot reach. */
@NullMarked
package dev.leasehold.remote;

import org.jspecify.annotations.NullMarked;
