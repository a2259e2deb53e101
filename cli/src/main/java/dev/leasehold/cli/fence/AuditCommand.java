package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.CommandContext;
import dev.leasehold.cli.command.StoreCalls;
import dev.leasehold.cli.command.StoreCommand;
import dev.leasehold.cli.output.Exit;
import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Audits;
import picocli.CommandLine.Command;

/** {@code audit}: charters, targets and holes. */
@Command(
    name = "audit",
    description = "Show every charter, how its targets check, and where a stale write can land.",
    footer = {
      "",
      "Exits with 7 when there is a hole, so that a deployment can stop on it. Charters"
          + " come from the processes that go by them; refusals, from fences that report to"
          + " their holders.",
      "",
      "Examples:",
      "  leasehold audit --store jdbc:postgresql://db/app",
      "  leasehold audit --json --store sqlite:leases.db"
    })
public final class AuditCommand extends StoreCommand {
  public AuditCommand(CommandContext context) {
    super(context);
  }

  @Override
  protected Exit run(Store store) {
    AuditReport report = Audit.of(StoreCalls.await(AuditFacts.of(store.leases())));
    // The report goes to the standard output even if it has findings, because it is the answer of
    // the command.
    printLine(out -> Audits.write(out, report), new AuditPage(report).text());
    return report.holes().isEmpty() ? Exit.DONE : Exit.HOLES;
  }
}
