package dev.leasehold.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class IncarnationCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
  CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
