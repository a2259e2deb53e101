/**
 * Whether what threads see of a class can be explained by doing their operations one after another.
 *
 * <p>Lincheck makes up scenarios of a few operations on a few threads, runs them in every order of
 * steps that it has time for, and looks for results that no sequential order gives. Each subject is
 * compared with a sequential specification of its own, and each comes with a canary: a known-bad
 * sibling that must be caught on the same JDK, since a tool that finds nothing may have looked at
 * nothing. For that reason only the data-structure mode is used: {@code Lincheck.runConcurrentTest}
 * passes a plain lost update on JDK 25.
 */
@NullMarked
package dev.leasehold.verification.linearizability;

import org.jspecify.annotations.NullMarked;
