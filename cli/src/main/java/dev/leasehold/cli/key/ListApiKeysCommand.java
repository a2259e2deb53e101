package dev.leasehold.cli.key;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.Table;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.cli.output.JsonLine;
import dev.leasehold.server.security.ApiKey;
import dev.leasehold.server.security.ApiKeys;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code key list}: all keys, without their secrets, which the store does not have. */
@Command(
    name = "list",
    description = "List API keys: their ids, names, verbs and prefixes.",
    footer = {"", "Example:", "  leasehold key list --store sqlite:leases.db"})
public final class ListApiKeysCommand extends ApiKeyStoreCommand {
  private static final String ROW = "%-16s %-24s %-18s %s";

  public ListApiKeysCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(ApiKeys keys) {
    List<ApiKey> all = StoreCalls.await(keys.list());
    if (options.json) {
      all.forEach(key -> context.out().println(JsonLine.of(out -> write(out, key))));
    } else {
      Table table = new Table(context, ROW, List.of("ID", "NAME", "VERBS", "PREFIXES"));
      all.forEach(
          key -> table.add(key.id(), key.name(), verbs(key), String.join(",", key.prefixes())));
    }
    return Exit.DONE;
  }
}
