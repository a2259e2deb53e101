/**
 * The command {@code leasehold}: leases and stores from a shell. One class a command; start at
 * {@link dev.leasehold.cli.Main}.
 *
 * <p>Each command is one operation on a store, sent as it is: nothing is renewed or released behind
 * the caller's back. What came of it is an {@code Answer}: an exit code, a JSON object and a
 * sentence. Everything a command touches besides its store comes from its {@code Surroundings}, so
 * that tests run commands in-process. What is printed, and which code says what, is a contract:
 * {@code docs/cli.md}.
 */
@NullMarked
package dev.leasehold.cli;

import org.jspecify.annotations.NullMarked;
