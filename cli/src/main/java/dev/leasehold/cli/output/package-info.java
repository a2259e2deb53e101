/**
 * The results of commands: an {@link dev.leasehold.cli.output.CommandResult} is an exit code, a
 * JSON object and a sentence. Scripts rely on the first two, and people read the third. The exit
 * codes and the JSON are a contract, described in {@code docs/cli.md}.
 */
@NullMarked
package dev.leasehold.cli.output;

import org.jspecify.annotations.NullMarked;
