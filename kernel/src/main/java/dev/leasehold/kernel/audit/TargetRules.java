package dev.leasehold.kernel.audit;

import dev.leasehold.kernel.LeaseCharter.Check;
import dev.leasehold.kernel.LeaseCharter.Unsealed;
import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Whether a target stops an old holder. */
record TargetRules(Set<String> kindsOnRecord) {
  List<Finding> findings(TargetLine line) {
    List<Finding> findings = new ArrayList<>();
    switch (line.target().check()) {
      case NONE ->
          findings.add(
              hole(
                  Rule.UNCHECKED_TARGET,
                  line,
                  "nothing checks the token there: an old holder's write lands",
                  "put a fence before it"));
      case ADVICE ->
          findings.add(
              hole(
                  Rule.ADVISED_TARGET,
                  line,
                  "the token is checked before the change and not with it: whoever is paused in"
                      + " between goes through",
                  "make the change in one transaction with its check"));
      case HIGH_WATER_MARK, GENERATION -> lookAtSeals(line, findings);
      case AT_EFFECT, GUARDED_TABLE -> {
        // The store itself is the mark: there is nothing to raise.
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
                  : "nobody has sealed it yet, and no lease of its kind is on record",
              "add sealing(Seal.of(its fence)) to the requests of this kind"));
    }
    line.failed()
        .ifPresent(
            failed -> {
              boolean started = line.target().whenUnsealed() == Unsealed.IS_A_HOLE;
              String why = failed.what().failure().orElse("");
              findings.add(
                  new Finding(
                      Rule.UNSEALED,
                      started ? Severity.HOLE : Severity.NOTE,
                      about(line),
                      failed.what().holder()
                          + " could not seal it for "
                          + failed.what().key()
                          + " and "
                          + (started ? "started all the same: " : "did not start: ")
                          + why,
                      line.target().check() == Check.GENERATION
                          ? "see that its folder can be written; the next holder seals it"
                          : "see that the target can be reached; the next holder seals it"));
            });
  }

  private static Finding hole(Rule rule, TargetLine line, String what, String remedy) {
    return new Finding(rule, Severity.HOLE, about(line), what, remedy);
  }

  private static String about(TargetLine line) {
    return line.target().name() + " of " + line.kind();
  }
}
