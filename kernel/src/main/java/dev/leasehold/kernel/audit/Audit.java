package dev.leasehold.kernel.audit;

import static java.util.stream.Collectors.collectingAndThen;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding.Rule;
import dev.leasehold.kernel.audit.Finding.Severity;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collector;

/**
 * Compares the promises of charters with what the store and its ledger know, and reports the holes.
 */
public final class Audit {
  /** The audit reports refusals and contradictions that are at most this old. */
  static final long DAY_MILLIS = Duration.ofDays(1).toMillis();

  /** A charter that no process has published for this long is ignored if its kind has no lease. */
  static final long FORGOTTEN_MILLIS = Duration.ofDays(30).toMillis();

  private final AuditFacts facts;
  private final long nowMillis;
  private final List<Finding> findings = new ArrayList<>();

  private Audit(AuditFacts facts) {
    this.facts = facts;
    this.nowMillis = facts.ledger().atMillis();
  }

  public static AuditReport of(AuditFacts facts) {
    return new Audit(facts).report();
  }

  private AuditReport report() {
    Map<String, List<LedgerReading.Charter>> byKind =
        facts.ledger().charters().stream()
            .filter(this::matters)
            .collect(groupingBy(kept -> kept.charter().kind(), TreeMap::new, latestFirst()));
    List<LedgerReading.Charter> inForce = byKind.values().stream().map(List::getFirst).toList();
    List<TargetLine> targets = inForce.stream().flatMap(kept -> lines(kept).stream()).toList();
    TargetRules targetRules = new TargetRules(facts.kindsOnRecord());
    targets.forEach(line -> findings.addAll(targetRules.findings(line)));
    inForce.forEach(this::lookAtCharter);
    byKind.values().forEach(this::lookForContradictions);
    lookForKindsWithout(byKind);
    findings.addAll(TableRules.findings(facts.ledger().tables(), targets));
    lookForRollbacks();
    findings.sort(Comparator.comparing(Finding::severity).thenComparing(Finding::rule));
    return new AuditReport(nowMillis, inForce, targets, findings, refusalsOfTheDay());
  }

  private static Collector<LedgerReading.Charter, ?, List<LedgerReading.Charter>> latestFirst() {
    return collectingAndThen(
        toList(),
        kept ->
            kept.stream()
                .sorted(Comparator.comparingLong(LedgerReading.Charter::lastAtMillis).reversed())
                .toList());
  }

  private boolean matters(LedgerReading.Charter kept) {
    return facts.kindsOnRecord().contains(kept.charter().kind())
        || isWithin(kept.lastAtMillis(), FORGOTTEN_MILLIS);
  }

  private boolean isWithin(long atMillis, long millis) {
    return nowMillis - atMillis <= millis;
  }

  private List<TargetLine> lines(LedgerReading.Charter kept) {
    String kind = kept.charter().kind();
    return kept.charter().targets().stream()
        .map(
            target -> {
              List<LedgerReading.Seal> seals =
                  facts.ledger().seals().stream()
                      .filter(seal -> seal.what().key().kind().equals(kind))
                      .filter(seal -> seal.what().target().equals(target.name()))
                      .toList();
              return new TargetLine(
                  kind,
                  target,
                  seals.stream().filter(s -> s.what().failure().isEmpty()).findFirst(),
                  seals.stream().filter(s -> s.what().failure().isPresent()).toList());
            })
        .toList();
  }

  private void lookAtCharter(LedgerReading.Charter kept) {
    LeaseCharter charter = kept.charter();
    if (charter.renewalProves() == LeaseCharter.Evidence.PULSE) {
      findings.add(
          new Finding(
              Rule.NO_STALL_LIMIT,
              Severity.HOLE,
              charter.kind(),
              "renewal proves that the process lives, not that its work moves: a stuck holder keeps"
                  + " the lease for ever",
              "write stallAfter(...) into the charter, and call progressed() where the work"
                  + " moves"));
    }
    if (charter.targets().isEmpty()) {
      findings.add(
          new Finding(
              Rule.NO_TARGETS,
              Severity.NOTE,
              charter.kind(),
              "the charter names nothing that the holder changes",
              "name each target and how it checks, unless there is really none"));
    }
  }

  /** A process that publishes the older charter after the newer one appeared still applies it. */
  private void lookForContradictions(List<LedgerReading.Charter> ofKind) {
    LedgerReading.Charter latest = ofKind.getFirst();
    for (LedgerReading.Charter other : ofKind.subList(1, ofKind.size())) {
      if (!isWithin(other.lastAtMillis(), DAY_MILLIS)) {
        continue;
      }
      boolean atOnce = other.lastAtMillis() >= latest.firstAtMillis();
      findings.add(
          new Finding(
              atOnce ? Rule.CONTRADICTING_CHARTERS : Rule.REPLACED_CHARTER,
              atOnce ? Severity.HOLE : Severity.NOTE,
              latest.charter().kind(),
              (atOnce
                      ? "two processes used different charters within a day: "
                      : "its charter has changed: ")
                  + latest.holder()
                  + " uses the one shown, "
                  + other.holder()
                  + (atOnce ? " another" : " used another before"),
              atOnce
                  ? "bring both to one version; a day after the other was last used this is gone"
                  : "make sure that no process with the earlier charter still runs"));
    }
  }

  private void lookForKindsWithout(Map<String, List<LedgerReading.Charter>> byKind) {
    for (String kind : new TreeSet<>(facts.kindsOnRecord())) {
      if (!byKind.containsKey(kind)) {
        findings.add(
            new Finding(
                Rule.NO_CHARTER,
                Severity.HOLE,
                kind,
                "leases of this kind are on record, and no charter says what they protect",
                "open Leases with a charter for it: LeasesBuilder.charter(LeaseCharter.of(...))"));
      }
    }
  }

  private void lookForRollbacks() {
    for (LedgerReading.Refusal refusal : refusalsOfTheDay()) {
      if (refusal.what().suspectsRollback()) {
        String what =
            "target '"
                + refusal.what().target()
                + "' has refused token "
                + refusal.what().claim().token()
                + " of "
                + refusal.what().claim().who()
                + switch (refusal.what().answer()) {
                  case Admission.Stale(Token seen) ->
                      " for " + seen + ", which the store had not issued";
                  case Admission.Unissued unissued -> " as one that was never issued";
                };
        findings.add(rollback(refusal.what().claim().key().text(), what));
      }
    }
    facts.suspected().latest().stream()
        .filter(suspect -> isWithin(suspect.atMillis(), DAY_MILLIS))
        .filter(suspect -> !isInLedger(suspect))
        .map(
            suspect ->
                rollback(
                    suspect.key().text(),
                    "a caller brought token "
                        + suspect.brought()
                        + ", and the store has issued none above "
                        + suspect.last()))
        .distinct()
        .forEach(findings::add);
  }

  /** Stores that other processes can reach record suspected rollbacks in the ledger. */
  private boolean isInLedger(SuspectedRollbacks.Case suspect) {
    return facts.ledger().refusals().stream()
        .map(LedgerReading.Refusal::what)
        .filter(LedgerEntry.Refused::suspectsRollback)
        .map(LedgerEntry.Refused::claim)
        .anyMatch(c -> c.key().equals(suspect.key()) && c.token().equals(suspect.brought()));
  }

  private static Finding rollback(String key, String what) {
    return new Finding(
        Rule.SUSPECTED_ROLLBACK,
        Severity.HOLE,
        key,
        what + ": the store may have lost writes",
        "stop the holders of this key (leasehold lease revoke "
            + key
            + " --why ...); if the store was restored or failed over, run leasehold incarnation"
            + " advance; if the token was made up, find out which caller brought it");
  }

  private List<LedgerReading.Refusal> refusalsOfTheDay() {
    return facts.ledger().refusals().stream()
        .filter(refusal -> isWithin(refusal.atMillis(), DAY_MILLIS))
        .toList();
  }
}
