package dev.leasehold.remote.wire;

import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.kernel.spi.LedgerReading;

/** The findings of an audit. Only servers and command lines audit, so no client reads them. */
public final class Audits {
  private Audits() {}

  public static void write(JsonOut out, AuditReport report) {
    out.text("outcome", report.holes().isEmpty() ? "whole" : "holes");
    out.number("atMs", report.atMillis());
    out.list("charters", report.charters(), Audits::writeCharter);
    out.list("targets", report.targets(), Audits::writeTarget);
    out.list("holes", report.holes(), Audits::writeFinding);
    out.list("notes", report.notes(), Audits::writeFinding);
    out.list("refusals", report.refusals(), Ledgers::write);
  }

  private static void writeCharter(JsonOut out, LedgerReading.Charter kept) {
    Charters.write(out, kept.charter());
    out.text("holder", kept.holder());
    out.number("firstAtMs", kept.firstAtMillis()).number("lastAtMs", kept.lastAtMillis());
  }

  private static void writeTarget(JsonOut out, AuditReport.TargetLine line) {
    out.text("kind", line.kind());
    Charters.writeTarget(out, line.target());
    out.flag("checks", line.target().check().isFence());
    line.sealed().ifPresent(seal -> out.object("sealed", inner -> Ledgers.write(inner, seal)));
    out.list("failed", line.failed(), Ledgers::write);
  }

  private static void writeFinding(JsonOut out, Finding finding) {
    out.text("rule", finding.rule().name()).text("about", finding.about());
    out.text("what", finding.what()).text("remedy", finding.remedy());
  }
}
