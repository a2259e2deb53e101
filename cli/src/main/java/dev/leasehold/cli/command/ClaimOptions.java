package dev.leasehold.cli.command;

import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The lease under which a command of a block is made. */
public final class ClaimOptions {
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

  @Option(
      names = "--instance-id",
      paramLabel = "ID",
      description = "The public id of the instance that it was granted to; compared as well.")
  Optional<InstanceId> instanceId = Optional.empty();

  public Optional<Claim> claim() {
    if (key.isPresent() != token.isPresent()) {
      throw new CommandFailedException(
          Exit.USAGE, "--key and --token belong together: name both, or neither");
    }
    if (instanceId.isPresent() && key.isEmpty()) {
      throw new CommandFailedException(
          Exit.USAGE, "--instance-id belongs to a token: name --key and --token too");
    }
    return key.flatMap(of -> token.map(number -> Claim.of(of, number)))
        .map(claim -> instanceId.map(id -> claim.ofInstance(id.text())).orElse(claim));
  }
}
