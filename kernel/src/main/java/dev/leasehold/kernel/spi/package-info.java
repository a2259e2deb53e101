/**
 * What a store must implement: commands in, sealed outcomes out. Also the ticker, the source of
 * elapsed time.
 *
 * <p>A store decides as {@link dev.leasehold.kernel.rules} does, with its own clock, and passes the
 * contract suite of the testkit. It needs nothing else from the kernel.
 */
@NullMarked
package dev.leasehold.kernel.spi;

import org.jspecify.annotations.NullMarked;
