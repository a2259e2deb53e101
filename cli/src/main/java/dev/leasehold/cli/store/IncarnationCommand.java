package dev.leasehold.cli.store;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold incarnation}: for stores that may have lost writes. */
@Command(
    name = "incarnation",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description =
        "Show and raise the incarnation, which is the first part of every token of a store.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold incarnation show --store sqlite:leases.db",
      "  leasehold incarnation advance --above 731 --store sqlite:leases.db"
    })
public final class IncarnationCommand extends CommandGroup {}
