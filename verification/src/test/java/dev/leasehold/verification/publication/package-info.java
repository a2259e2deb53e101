/**
 * What threads see of each other on real processors, where a compiler and a store buffer may change
 * the order of things. Lincheck chooses every switch between threads but runs on a memory that
 * forgets nothing; jcstress runs a race of a few steps millions of times and counts what came of
 * it.
 *
 * <p>Each race lists what may come of it; everything else is forbidden. Each has a canary with the
 * same list: a sibling with one thing wrong, which must be caught on the same JDK. Some canaries
 * are right in every order of their steps, and wrong only on real memory.
 *
 * <p>{@link dev.leasehold.verification.publication.PublicationTest} runs all of them.
 */
@NullMarked
package dev.leasehold.verification.publication;

import org.jspecify.annotations.NullMarked;
