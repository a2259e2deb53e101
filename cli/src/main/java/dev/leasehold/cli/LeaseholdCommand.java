package dev.leasehold.cli;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold} alone. */
@Command(
    name = "leasehold",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Temporary authority, with fences that hold.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  export LEASEHOLD_STORE=sqlite:leases.db",
      "  leasehold lease acquire lock/nightly-report --ttl 5m",
      "  leasehold lease list --json",
      "",
      "Exit codes: 0 done, 2 usage, 3 held by another or closed for a while, 4 lost or"
          + " stale, 5 store unreachable, 6 refused, 7 holes found (audit, doctor)."
    })
final class LeaseholdCommand extends CommandGroup {}
