package dev.leasehold.cli.lease;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that prove that a grant is the caller's. */
final class OwnGrant {
  @Option(
      names = "--token",
      paramLabel = "N",
      required = true,
      description = "The token of the grant, as lease acquire printed it.")
  @SuppressWarnings("NullAway.Init") // required, so picocli sets it before a command runs
  Token token;

  @Mixin final InstanceOption by = new InstanceOption();

  Instance instance(CommandContext context) {
    return by.given(context.environment())
        .orElseThrow(
            () ->
                new CommandFailedException(
                    Exit.USAGE,
                    "the store must know that the grant is yours: add --instance, or set"
                        + " LEASEHOLD_INSTANCE, to the instance that lease acquire printed"));
  }
}
