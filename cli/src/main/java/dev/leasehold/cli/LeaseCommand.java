package dev.leasehold.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
final class LeaseCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
  CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
