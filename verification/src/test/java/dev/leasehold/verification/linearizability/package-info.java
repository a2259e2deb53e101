/**
 * Whether what threads see of a class can be explained by doing their operations one after another.
 *
 * <p>Lincheck generates scenarios of a few operations on a few threads, runs them in every order of
 * steps that it has time for, and looks for results that no sequential order gives. Each subject is
 * compared with its own sequential specification, and each has a canary: a known-bad variant that
 * must be caught on the same JDK, to prove that the tool works. For that reason only the
 * data-structure mode is used: {@code Lincheck.runConcurrentTest} passes a plain lost update on JDK
 * 25.
 */
@NullMarked
package dev.leasehold.verification.linearizability;

import org.jspecify.annotations.NullMarked;
