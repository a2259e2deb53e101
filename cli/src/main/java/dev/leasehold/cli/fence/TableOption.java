package dev.leasehold.cli.fence;

import picocli.CommandLine.Option;

/** The table that a command is about. */
@SuppressWarnings("NullAway.Init") // it is required, so picocli sets it before the command runs
final class TableOption {
  @Option(
      names = "--table",
      paramLabel = "T",
      required = true,
      description = "The table, in the database of the leases.")
  String table;
}
