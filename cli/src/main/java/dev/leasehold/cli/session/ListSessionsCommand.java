package dev.leasehold.cli.session;

import dev.leasehold.blocks.sessions.SessionInfo;
import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.ReadCommand;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.TextTable;
import dev.leasehold.cli.command.Values;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Sessions;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** {@code session list}: the sessions that have not ended. */
@Command(
    name = "list",
    description = "List the sessions that have not ended, in the order of their keys.",
    footer = {"", "Example:", "  leasehold session list --store sqlite:leases.db"})
public final class ListSessionsCommand extends ReadCommand {
  private static final TextTable.Columns COLUMNS =
      TextTable.Columns.of(
          "%-40s %-10s %-16s %-22s %s", "SESSION", "REMAINING", "ROLES", "ADDRESS", "HOLDER");

  public ListSessionsCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit read(Store store) {
    Consumer<SessionInfo> printer = listing(COLUMNS, Sessions::write, ListSessionsCommand::cells);
    return printPages(
        ListQuery.all(SessionInfo.PREFIX),
        asked -> {
          LeasePage page = StoreCalls.await(store.leases().list(asked));
          page.items().stream().flatMap(found -> SessionInfo.of(found).stream()).forEach(printer);
          return page.next().map(asked::from);
        });
  }

  private static List<?> cells(SessionInfo session) {
    return List.of(
        session.grant().key(),
        Values.text(session.remainingMillis()),
        session.roles().isEmpty() ? "-" : String.join(",", session.roles()),
        session.address().orElse("-"),
        session.holder());
  }
}
