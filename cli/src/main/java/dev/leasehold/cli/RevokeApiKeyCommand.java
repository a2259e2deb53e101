package dev.leasehold.cli;

import dev.leasehold.server.security.ApiKeys;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code key revoke}: servers stop to take it within seconds. */
@Command(
    name = "revoke",
    description = "Revoke an API key by its id; servers stop to take it within seconds.",
    footer = {"", "Example:", "  leasehold key revoke 0123456789abcdef --store sqlite:leases.db"})
final class RevokeApiKeyCommand extends ApiKeyStoreCommand {
  @Parameters(paramLabel = "ID", description = "Its id, as leasehold key list shows it.")
  String id = "";

  RevokeApiKeyCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(ApiKeys keys) {
    if (!Asking.await(keys.revoke(id))) {
      throw new CommandFailedException(Exit.USAGE, "there is no API key of the id " + id);
    }
    return print(
        new Answer(
            Exit.DONE, new Json().with("outcome", "revoked").with("id", id), "revoked " + id));
  }
}
