package dev.leasehold.kernel.audit;

import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.kernel.model.LeaseCharter.Check;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.spi.LedgerReading;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks whether a target stops an old holder. */
record TargetRules(Set<String> kindsOnRecord) {
  /** The report names at most this many keys that could not be sealed. */
  private static final int MOST_UNSEALED = 5;

  List<Finding> findings(TargetLine line) {
    List<Finding> findings = new ArrayList<>();
    switch (line.target().check()) {
      case NONE ->
          findings.add(
              hole(
                  Rule.UNCHECKED_TARGET,
                  line,
                  "the target does not check the token: an old holder's write lands",
                  "put a fence before it"));
      case ADVICE ->
          findings.add(
              hole(
                  Rule.ADVISED_TARGET,
                  line,
                  "the token is checked before the change and not with it: a holder that is paused"
                      + " in between goes through",
                  "make the change in one transaction with its check"));
      case HIGH_WATER_MARK, GENERATION -> lookAtSeals(line, findings);
      case AT_EFFECT, GUARDED_TABLE -> {
        // The store itself holds the current token, so there is no mark to raise. TableRules looks
        // for guards.
      }
    }
    return findings;
  }

  private void lookAtSeals(TargetLine line, List<Finding> findings) {
    if (line.sealed().isEmpty()) {
      boolean inUse = kindsOnRecord.contains(line.kind());
      findings.add(
          new Finding(
              Rule.NEVER_SEALED,
              inUse ? Severity.HOLE : Severity.NOTE,
              about(line),
              inUse
                  ? "no holder has ever sealed it: it has not seen the tokens of successors"
                  : "no holder has sealed it yet, and no lease of its kind is on record",
              "add sealing(Seal.of(its fence)) to the requests of this kind"));
    }
    line.failed().stream()
        .limit(MOST_UNSEALED)
        .forEach(failed -> findings.add(unsealed(line, failed)));
    int more = line.failed().size() - MOST_UNSEALED;
    if (more > 0) {
      findings.add(
          new Finding(
              Rule.UNSEALED,
              severityOfUnsealed(line),
              about(line),
              "nor could it be sealed for " + more + " other keys",
              "leasehold audit --json names them all"));
    }
  }

  private static Finding unsealed(TargetLine line, LedgerReading.Seal failed) {
    Severity severity = severityOfUnsealed(line);
    return new Finding(
        Rule.UNSEALED,
        severity,
        about(line),
        failed.what().holder()
            + " could not seal it for "
            + failed.what().key()
            + " and "
            + (severity == Severity.HOLE ? "started all the same: " : "did not start: ")
            + failed.what().failure().orElse(""),
        line.target().check() == Check.GENERATION
            ? "see that its folder can be written; the next holder seals it"
            : "see that the target can be reached; the next holder seals it");
  }

  private static Severity severityOfUnsealed(TargetLine line) {
    return line.target().whenUnsealed() == Unsealed.IS_A_HOLE ? Severity.HOLE : Severity.NOTE;
  }

  private static Finding hole(Rule rule, TargetLine line, String what, String remedy) {
    return new Finding(rule, Severity.HOLE, about(line), what, remedy);
  }

  static String about(TargetLine line) {
    return line.target().name() + " of " + line.kind();
  }
}
