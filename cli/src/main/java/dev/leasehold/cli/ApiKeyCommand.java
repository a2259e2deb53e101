package dev.leasehold.cli;

import picocli.CommandLine.Command;

/** {@code key}: what follows is about API keys. */
@Command(
    name = "key",
    mixinStandardHelpOptions = true,
    versionProvider = LeaseholdCommand.Version.class,
    description = "Make, list and revoke the API keys that a server asks for.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold key create billing --prefix lock/billing --store sqlite:leases.db",
      "  leasehold key list --store sqlite:leases.db"
    })
final class ApiKeyCommand extends CommandGroup {}
