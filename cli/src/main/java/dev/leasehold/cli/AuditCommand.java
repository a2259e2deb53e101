package dev.leasehold.cli;

import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.spi.LeaseStore;
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
final class AuditCommand extends StoreCommand {
  AuditCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  Exit run(LeaseStore store) {
    AuditReport report = Audit.of(Asking.await(AuditFacts.of(store)));
    // In full on the standard output whatever it says: it is the answer, and no complaint.
    surroundings
        .out()
        .println(options.json ? AuditJson.of(report).toString() : new AuditPage(report).text());
    return report.holes().isEmpty() ? Exit.DONE : Exit.HOLES;
  }
}
