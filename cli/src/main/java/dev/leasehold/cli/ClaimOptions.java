package dev.leasehold.cli;

import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Under which lease something is written. */
final class ClaimOptions {
  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "Write only while the grant of this key is current; with --token.")
  Optional<LeaseKey> key = Optional.empty();

  @Option(
      names = "--token",
      paramLabel = "N",
      description = "The token of that grant, as lease acquire printed it.")
  Optional<Token> token = Optional.empty();

  Optional<Claim> claim() {
    if (key.isPresent() != token.isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE, "--key and --token belong together: name both, or neither");
    }
    return key.flatMap(of -> token.map(number -> Claim.of(of, number)));
  }
}
