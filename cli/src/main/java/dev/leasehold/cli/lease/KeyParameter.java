package dev.leasehold.cli.lease;

import dev.leasehold.fence.LeaseKey;
import picocli.CommandLine.Parameters;

/** The key that a command is about. */
public final class KeyParameter {
  @Parameters(
      paramLabel = "KEY",
      description = "What is leased, as kind/name: lock/nightly-report.")
  @SuppressWarnings("NullAway.Init") // required, so picocli sets it before a command runs
  public LeaseKey key;
}
