package dev.leasehold.cli.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Commands under one word, which is no command by itself. */
public abstract class CommandGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // picocli sets it before a command runs
  CommandSpec spec;

  @Override
  public final void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}
