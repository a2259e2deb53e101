package dev.leasehold.cli.lease;

import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.model.Instance;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** The secret instance of the caller. */
final class InstanceOption {
  @Option(
      names = "--instance",
      paramLabel = "SECRET",
      description = {
        "The holder's secret, 32 hex digits, as lease acquire printed it.",
        "Else LEASEHOLD_INSTANCE, which other users of the machine cannot see."
      })
  Optional<Instance> instance = Optional.empty();

  Optional<Instance> given(Function<String, Optional<String>> environment) {
    return instance.or(() -> environment.apply("LEASEHOLD_INSTANCE").map(InstanceOption::read));
  }

  private static Instance read(String secret) {
    try {
      return Instance.of(secret);
    } catch (IllFormedException e) {
      throw new CommandFailedException(Exit.USAGE, "LEASEHOLD_INSTANCE: " + e.getMessage(), e);
    }
  }
}
