/**
 * What reads bytes that somebody else has written: it takes them, or refuses them by the exception
 * that it declares, whatever they are, and what it has taken is the same when it is written and
 * read again. {@code Parser} lists the readers. Every build tries the seeds, whole, cut off and
 * with one byte changed; with {@code -Pproof}, Jazzer makes up more from them for a while.
 */
@NullMarked
package dev.leasehold.verification.fuzzing;

import org.jspecify.annotations.NullMarked;
