package dev.leasehold.cli;

import picocli.CommandLine.Command;

/** {@code key}: what follows is about API keys. */
@Command(name = "key", description = "Make, list and revoke the API keys that a server asks for.")
final class ApiKeyCommand extends CommandGroup {}
