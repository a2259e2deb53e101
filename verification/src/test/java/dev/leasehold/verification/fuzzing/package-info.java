/**
 * Tests of the parsers of foreign bytes: for any input, a parser accepts it or throws its declared
 * exception, and accepted input is unchanged when it is written and read again. {@code Parser}
 * lists the parsers. Every build tries the seeds, whole, truncated and with one byte changed; with
 * {@code -Pproof}, Jazzer derives more from them for a while.
 */
@NullMarked
package dev.leasehold.verification.fuzzing;

import org.jspecify.annotations.NullMarked;
