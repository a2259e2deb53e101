/**
 * Commands that run under a lease: {@code leasehold exec}.
 *
 * <p>{@link dev.leasehold.cli.exec.LeasedRun} starts the command in a process group of its own and
 * controls it. {@link dev.leasehold.cli.exec.Guardian} is a process in a session of its own that
 * does the same when the wrapper is stopped or killed; {@code Guards} replaces one that has died.
 * Both use {@code Enforcement}, which decides when the group gets TERM and when KILL.
 */
@NullMarked
package dev.leasehold.cli.exec;

import org.jspecify.annotations.NullMarked;
