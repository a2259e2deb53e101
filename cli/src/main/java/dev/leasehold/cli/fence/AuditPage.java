package dev.leasehold.cli.fence;

import dev.leasehold.cli.command.Values;
import dev.leasehold.fence.Admission;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An audit as text for people: charters, then holes and notes, then refusals. */
final class AuditPage {
  private static final int MAX_REFUSALS = 20;

  private final AuditReport report;
  private final List<String> lines = new ArrayList<>();

  AuditPage(AuditReport report) {
    this.report = report;
    report.charters().forEach(this::addCharter);
    if (report.charters().isEmpty()) {
      lines.add("No charter is on record: no process that goes by one has used this store.");
      lines.add("");
    }
    addFindings("HOLES", report.holes());
    addFindings("NOTES", report.notes());
    addRefusals();
    lines.add(verdict());
  }

  String text() {
    return String.join(System.lineSeparator(), lines);
  }

  private void addCharter(LedgerReading.Charter kept) {
    LeaseCharter charter = kept.charter();
    lines.add("CHARTER " + charter.kind());
    addLine("leases", words(charter.payload()) + ": " + charter.covers());
    addLine("rests on", anchor(charter));
    addLine(
        "lasts",
        Values.text(charter.ttl().toMillis())
            + charter.grace().map(g -> ", grace " + Values.text(g.toMillis())).orElse(""));
    addLine(
        "renewal",
        switch (charter.renewalProves()) {
          case PULSE -> "proves a pulse: no stall limit";
          case PROGRESS ->
              "proves progress, at least every " + Values.text(charter.stallLimit().millis());
        });
    addLine(
        "hand-off",
        switch (charter.handoff()) {
          case GAP -> "with a gap: the old owner has stopped first";
          case OVERLAP -> "with an overlap: the new owner is ready first";
        });
    addLine("published", "by " + kept.holder() + ", " + ago(kept.lastAtMillis()));
    report.targets().stream()
        .filter(line -> line.kind().equals(charter.kind()))
        .forEach(line -> addLine("target", target(line)));
    lines.add("");
  }

  private void addLine(String name, String value) {
    lines.add("  %-10s %s".formatted(name, value));
  }

  private static String anchor(LeaseCharter charter) {
    return switch (charter.anchor()) {
      case WALL_CLOCK -> "a wall clock";
      case SESSION -> "a session's heartbeats";
      case STORE -> "the clock and the transactions of the store";
      case QUORUM -> "a majority's agreement";
      case ISSUER -> "the promise of an issuer";
    };
  }

  private String target(TargetLine line) {
    String check =
        switch (line.target().check()) {
          case AT_EFFECT -> "checks at effect";
          case HIGH_WATER_MARK -> "keeps a high-water mark";
          case GUARDED_TABLE -> "is a guarded table";
          case GENERATION -> "writes a generation for each token";
          case ADVICE -> "ONLY ADVISES";
          case NONE -> "DOES NOT CHECK";
        };
    String sealed =
        line.sealed()
            .map(seal -> ", sealed with " + seal.what().token() + " " + ago(seal.atMillis()))
            .orElse("");
    String failed =
        line.failed().stream()
            .findFirst()
            .map(seal -> ", NOT SEALED for " + keys(line.failed()) + " " + ago(seal.atMillis()))
            .orElse("");
    return line.target().name() + ": " + check + sealed + failed;
  }

  private static String keys(List<LedgerReading.Seal> failed) {
    String first = failed.getFirst().what().key().text();
    return failed.size() == 1 ? first : first + " and " + (failed.size() - 1) + " more";
  }

  private void addFindings(String title, List<Finding> findings) {
    if (findings.isEmpty()) {
      return;
    }
    lines.add(title);
    for (Finding finding : findings) {
      lines.add("  " + finding.about() + " (" + words(finding.rule()) + ")");
      lines.add("    " + finding.what());
      lines.add("    -> " + finding.remedy());
    }
    lines.add("");
  }

  private void addRefusals() {
    if (report.refusals().isEmpty()) {
      return;
    }
    lines.add("REFUSED IN THE LAST DAY");
    report.refusals().stream().limit(MAX_REFUSALS).forEach(this::addRefusal);
    int more = report.refusals().size() - MAX_REFUSALS;
    if (more > 0) {
      lines.add("  and " + more + " more: leasehold audit --json shows all");
    }
    lines.add("");
  }

  private void addRefusal(LedgerReading.Refusal refusal) {
    LedgerEntry.Refused what = refusal.what();
    String answer =
        switch (what.answer()) {
          case Admission.Stale stale -> "stale, current is " + stale.current();
          case Admission.Unissued unissued -> "never issued";
        };
    lines.add(
        "  %s  %s refused %s of %s on %s: %s"
            .formatted(
                Instant.ofEpochMilli(refusal.atMillis()),
                what.target(),
                what.claim().token(),
                what.claim().who(),
                what.claim().key(),
                answer));
  }

  private String verdict() {
    int holes = report.holes().size();
    return holes == 0 ? "no holes" : holes == 1 ? "1 hole" : holes + " holes";
  }

  private String ago(long atMillis) {
    return Values.text(Math.max(0, report.atMillis() - atMillis)) + " ago";
  }

  private static String words(Enum<?> name) {
    return name.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
