package dev.leasehold.cli;

import picocli.CommandLine.Option;

/** Which keys a command is about. */
final class PrefixOption {
  @Option(
      names = "--prefix",
      paramLabel = "P",
      description = "Only keys that start with this. Else all.")
  String prefix = "";
}
