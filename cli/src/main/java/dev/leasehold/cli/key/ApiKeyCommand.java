package dev.leasehold.cli.key;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code key}: commands on API keys. */
@Command(
    name = "key",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Make, list and revoke the API keys that a server asks for.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  leasehold key create billing --prefix lock/billing --store sqlite:leases.db",
      "  leasehold key list --store sqlite:leases.db"
    })
public final class ApiKeyCommand extends CommandGroup {}
