package dev.leasehold.cli;

import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import picocli.CommandLine.Command;

/** {@code key list}: which there are; no secret is on record that could be listed. */
@Command(
    name = "list",
    description = "List API keys: their ids, names, verbs and prefixes.",
    footer = {"", "Example:", "  leasehold key list --store sqlite:leases.db"})
final class ListApiKeysCommand extends ApiKeyStoreCommand {
  private static final String ROW = "%-16s %-24s %-18s %s";

  ListApiKeysCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(ApiKeys keys) {
    if (!options.json) {
      surroundings.out().println(ROW.formatted("ID", "NAME", "VERBS", "PREFIXES"));
    }
    for (ApiKey key : Asking.await(keys.list())) {
      surroundings.out().println(options.json ? json(key) : row(key));
    }
    return Exit.DONE;
  }

  private static String row(ApiKey key) {
    return ROW.formatted(key.id(), key.name(), verbs(key), String.join(",", key.prefixes()))
        .strip();
  }
}
