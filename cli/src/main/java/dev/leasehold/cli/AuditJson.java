package dev.leasehold.cli;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LeaseCharter;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.AuditReport.TargetLine;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** An audit as one object. */
final class AuditJson {
  private AuditJson() {}

  static Json of(AuditReport report) {
    return new Json()
        .with("outcome", report.holes().isEmpty() ? "whole" : "holes")
        .with("atMs", report.atMillis())
        .with("charters", report.charters().stream().map(AuditJson::charter).toList())
        .with("targets", report.targets().stream().map(AuditJson::target).toList())
        .with("holes", report.holes().stream().map(AuditJson::finding).toList())
        .with("notes", report.notes().stream().map(AuditJson::finding).toList())
        .with("refusals", report.refusals().stream().map(AuditJson::refusal).toList());
  }

  private static Json charter(LedgerReading.Charter kept) {
    LeaseCharter charter = kept.charter();
    return new Json()
        .with("kind", charter.kind())
        .with("payload", charter.payload().name())
        .with("covers", charter.covers())
        .with("anchor", charter.anchor().name())
        .with("ttlMs", charter.ttl().toMillis())
        .with("graceMs", number(charter.grace().map(Duration::toMillis)))
        .with("renewalProves", charter.renewalProves().name())
        .with("stallMs", charter.stallLimit().millis())
        .with("handoff", charter.handoff().name())
        .with("holder", kept.holder())
        .with("firstAtMs", kept.firstAtMillis())
        .with("lastAtMs", kept.lastAtMillis());
  }

  private static Json target(TargetLine line) {
    Json json =
        new Json()
            .with("kind", line.kind())
            .with("target", line.target().name())
            .with("check", line.target().check().name())
            .with("whenUnsealed", line.target().whenUnsealed().name());
    line.sealed().ifPresent(seal -> json.with("sealed", seal(seal)));
    return line.failed().isEmpty()
        ? json
        : json.with(
            "failed",
            line.failed().stream()
                .map(seal -> seal(seal).with("why", seal.what().failure().orElse("")))
                .toList());
  }

  private static Json seal(LedgerReading.Seal seal) {
    return new Json()
        .with("key", seal.what().key().text())
        .with("token", seal.what().token().value())
        .with("holder", seal.what().holder())
        .with("atMs", seal.atMillis());
  }

  private static Json finding(Finding finding) {
    return new Json()
        .with("rule", finding.rule().name())
        .with("about", finding.about())
        .with("what", finding.what())
        .with("remedy", finding.remedy());
  }

  private static Json refusal(LedgerReading.Refusal refusal) {
    LedgerEntry.Refused what = refusal.what();
    Json json =
        new Json()
            .with("outcome", what.answer() instanceof Admission.Stale ? "stale" : "unissued")
            .with("target", what.target())
            .with("key", what.claim().key().text())
            .with("token", what.claim().token().value())
            .with("current", number(what.answer().bound().map(Token::value)))
            .with("holder", what.claim().who())
            .with("atMs", refusal.atMillis());
    return what.suspectsRollback() ? json.with("suspected", "rollback") : json;
  }

  private static OptionalLong number(Optional<Long> value) {
    return value.isPresent() ? OptionalLong.of(value.get()) : OptionalLong.empty();
  }
}
