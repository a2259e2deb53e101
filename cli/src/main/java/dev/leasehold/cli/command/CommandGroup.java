package dev.leasehold.cli.command;

import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Commands under one word, which is no command by itself. */
public final class CommandGroup implements Runnable {
  private final CommandSpec spec = CommandSpec.wrapWithoutInspection(this);

  private CommandGroup() {}

  /** A group without its commands. */
  public static CommandLine named(String name, String description, String... footer) {
    CommandGroup group = new CommandGroup();
    group
        .spec
        .name(name)
        .mixinStandardHelpOptions(true)
        .versionProvider(new BuildVersion())
        .usageMessage()
        .description(description)
        .synopsisSubcommandLabel("COMMAND")
        .footer(
            Stream.concat(Stream.of("", "Examples:"), Stream.of(footer)).toArray(String[]::new));
    return new CommandLine(group.spec);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
