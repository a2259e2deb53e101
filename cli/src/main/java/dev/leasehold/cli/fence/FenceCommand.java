package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold fence}: tables that refuse changes without a token. */
@Command(
    name = "fence",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Guard tables: the database refuses changes that bring no current token.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold fence install --table orders --key-column lease --store"
          + " jdbc:postgresql://db/app",
      "  leasehold fence list --json",
      "  leasehold fence remove --table orders"
    })
public final class FenceCommand extends CommandGroup {}
