package dev.leasehold.kernel.audit;

import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.spi.LedgerReading;
import java.util.List;
import java.util.Optional;

/**
 * The result of an audit.
 *
 * @param atMillis the store's time of the audit
 * @param charters in force, in the order of kinds
 * @param targets of these charters, in their order
 * @param refusals of the last day, newest first
 */
public record AuditReport(
    long atMillis,
    List<LedgerReading.Charter> charters,
    List<TargetLine> targets,
    List<Finding> findings,
    List<LedgerReading.Refusal> refusals) {
  public AuditReport {
    charters = List.copyOf(charters);
    targets = List.copyOf(targets);
    findings = List.copyOf(findings);
    refusals = List.copyOf(refusals);
  }

  /**
   * A target, when it was sealed last, and by key the failures that no later seal has made up for.
   */
  public record TargetLine(
      String kind,
      Target target,
      Optional<LedgerReading.Seal> sealed,
      List<LedgerReading.Seal> failed) {
    public TargetLine {
      failed = List.copyOf(failed);
    }
  }

  public List<Finding> holes() {
    return of(Severity.HOLE);
  }

  public List<Finding> notes() {
    return of(Severity.NOTE);
  }

  private List<Finding> of(Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).toList();
  }
}
