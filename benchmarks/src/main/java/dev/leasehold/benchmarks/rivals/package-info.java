/**
 * Other projects' locks and elections, each behind {@link dev.leasehold.benchmarks.rivals.Locks} or
 * {@link dev.leasehold.benchmarks.rivals.Candidates} and set up the way its own documents say, with
 * every change on disk. A rival that is not available is {@linkplain
 * dev.leasehold.benchmarks.rivals.Rival#missing() reported as missing}, never left out.
 */
@NullMarked
package dev.leasehold.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
