package dev.leasehold.cli.key;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.TextTable;
import dev.leasehold.cli.output.Exit;
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
  private static final TextTable.Columns COLUMNS =
      TextTable.Columns.of("%-16s %-24s %-18s %s", "ID", "NAME", "VERBS", "PREFIXES");

  public ListApiKeysCommand(CommandContext context) {
    super(context);
  }

  @Override
  Exit run(ApiKeys keys) {
    StoreCalls.await(keys.list())
        .forEach(listing(COLUMNS, ApiKeyStoreCommand::write, ListApiKeysCommand::cells));
    return Exit.DONE;
  }

  private static List<?> cells(ApiKey key) {
    return List.of(key.id(), key.name(), verbs(key), String.join(",", key.prefixes()));
  }
}
