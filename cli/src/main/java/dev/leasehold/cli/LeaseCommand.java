package dev.leasehold.cli;

import picocli.CommandLine.Command;

/** {@code leasehold lease}: one operation on a lease each. */
@Command(
    name = "lease",
    mixinStandardHelpOptions = true,
    versionProvider = LeaseholdCommand.Version.class,
    description = "Take, keep, give back and look at leases: one operation each.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold lease acquire lock/nightly-report --store sqlite:leases.db",
      "  leasehold lease show lock/nightly-report --store sqlite:leases.db"
    })
final class LeaseCommand extends CommandGroup {}
