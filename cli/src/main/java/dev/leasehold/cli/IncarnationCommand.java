package dev.leasehold.cli;

import picocli.CommandLine.Command;

/** {@code leasehold incarnation}: for stores that may have lost writes. */
@Command(
    name = "incarnation",
    mixinStandardHelpOptions = true,
    versionProvider = LeaseholdCommand.Version.class,
    description = "Tell and raise what stands in front of every token of a store.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold incarnation show --store sqlite:leases.db",
      "  leasehold incarnation advance --above 731 --store sqlite:leases.db"
    })
final class IncarnationCommand extends CommandGroup {}
