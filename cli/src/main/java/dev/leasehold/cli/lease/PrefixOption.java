package dev.leasehold.cli.lease;

import picocli.CommandLine.Option;

/** The prefix of the keys that a command lists or watches. */
final class PrefixOption {
  @Option(
      names = "--prefix",
      paramLabel = "P",
      description = "Only keys that start with this. Else all.")
  String prefix = "";
}
