/**
 * The parts that commands share. A {@link dev.leasehold.cli.command.StoreCommand} opens the store
 * that its {@link dev.leasehold.cli.command.StoreOptions} name, does one thing there and closes it.
 * Everything else that a command uses comes from its {@link
 * dev.leasehold.cli.command.CommandContext}, so that tests run commands in-process.
 */
@NullMarked
package dev.leasehold.cli.command;

import org.jspecify.annotations.NullMarked;
