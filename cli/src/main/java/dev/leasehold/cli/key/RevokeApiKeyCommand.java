package dev.leasehold.cli.key;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.output.CommandFailedException;
import dev.leasehold.cli.output.CommandResult;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.server.security.ApiKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code key revoke}: servers stop accepting the key within seconds. */
@Command(
    name = "revoke",
    description = "Revoke an API key by its id; servers stop accepting it within seconds.",
    footer = {"", "Example:", "  leasehold key revoke 0123456789abcdef --store sqlite:leases.db"})
public final class RevokeApiKeyCommand extends ApiKeyStoreCommand {
  @Parameters(paramLabel = "ID", description = "Its id, as leasehold key list shows it.")
  String id = "";

  public RevokeApiKeyCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(ApiKeys keys) {
    if (!StoreCalls.await(keys.revoke(id))) {
      throw new CommandFailedException(Exit.USAGE, "there is no API key of the id " + id);
    }
    return print(
        new CommandResult(
            Exit.DONE, out -> out.text("outcome", "revoked").text("id", id), "revoked " + id));
  }
}
