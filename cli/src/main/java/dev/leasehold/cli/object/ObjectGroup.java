package dev.leasehold.cli.object;

import dev.leasehold.cli.command.BuildVersion;
import dev.leasehold.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** {@code leasehold object}: one operation on a versioned object each. */
@Command(
    name = "object",
    mixinStandardHelpOptions = true,
    versionProvider = BuildVersion.class,
    description = "Read, write and delete versioned objects: one operation each.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  echo '{\"replicas\":3}' | leasehold object put config web --if-absent",
      "  leasehold object get config web",
      "  leasehold object bind config --key leader/config"
    })
public final class ObjectGroup extends CommandGroup {}
