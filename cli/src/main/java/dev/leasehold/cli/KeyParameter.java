package dev.leasehold.cli;

import dev.leasehold.fence.LeaseKey;
import picocli.CommandLine.Parameters;

/** The key that a command is about. */
final class KeyParameter {
  @Parameters(
      paramLabel = "KEY",
      description = "What is leased, as kind/name: lock/nightly-report.")
  @SuppressWarnings("NullAway.Init") // required, so picocli sets it before a command runs
  LeaseKey key;
}
