package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold lease}: one operation on a lease each. */
@Command(
    name = "lease",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Take, keep, give back and look at leases: one operation each.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold lease acquire lock/nightly-report --store sqlite:leases.db",
      "  leasehold lease show lock/nightly-report --store sqlite:leases.db"
    })
public final class LeaseCommand extends CommandGroup {}
