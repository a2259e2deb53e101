/**
 * The command {@code leasehold}: leases and stores from a shell. Start at {@link
 * dev.leasehold.cli.Main}; {@code Commands} is the tree of all commands.
 *
 * <p>There is a package for each noun ({@code lease}, {@code object}, {@code fence}, {@code key},
 * {@code store}, {@code serve}, {@code exec}, {@code demo}), with one class a command. Each command
 * is one operation on a store: no command renews or releases a lease on its own. Shared parts are
 * in {@code command}, {@code place} and {@code output}; settings are in {@code config}. The output
 * and the exit codes are a contract: {@code docs/cli.md}.
 */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
