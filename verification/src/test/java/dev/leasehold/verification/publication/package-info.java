/**
 * What threads see of each other on real processors, where a compiler and a store buffer may
 * reorder accesses. Lincheck chooses every switch between threads but assumes sequentially
 * consistent memory; jcstress runs a race of a few steps millions of times and counts the results.
 *
 * <p>Each race lists its allowed results; everything else is forbidden. Each has a canary with the
 * same list: a variant with one defect, which must be caught on the same JDK. Some canaries are
 * correct in every order of their steps, and wrong only on real memory.
 *
 * <p>{@link dev.leasehold.verification.publication.PublicationTest} runs all of them.
 */
@NullMarked
package dev.leasehold.verification.publication;

import org.jspecify.annotations.NullMarked;
