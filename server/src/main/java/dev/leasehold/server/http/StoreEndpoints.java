package dev.leasehold.server.http;

import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.audit.Finding;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.StoreApi;
import dev.leasehold.remote.wire.Charters;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Ledgers;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.server.doctor.DatabaseChecks.Pending;
import dev.leasehold.server.doctor.Doctor;
import dev.leasehold.server.doctor.SharedExamination;
import dev.leasehold.server.security.Permission;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import dev.leasehold.store.jdbc.StoreIdentity;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What concerns the store as a whole: {@code /v1/store}, {@code /v1/ledger}, {@code /v1/audit},
 * {@code /v1/doctor}. Whoever asks must be allowed all prefixes, but for the bounds of the store
 * and for writing down what is its own.
 */
public final class StoreEndpoints {
  private final LeaseStore store;
  private final SharedExamination examination;

  /** {@code version} is this server's own. */
  public StoreEndpoints(LeaseStore store, Optional<String> version) {
    this.store = store;
    Doctor doctor = new Doctor(InstantSource.system(), Pending.LEFT_TO_PEOPLE, version);
    this.examination = new SharedExamination(() -> doctor.examine(store), Ticker.system());
  }

  public List<Route> routes() {
    return List.of(
        Route.of(StoreApi.FACTS, this::facts),
        Route.of(StoreApi.ADVANCE, this::advance),
        Route.of(StoreApi.PURGE_ENDED, this::purge),
        Route.of(StoreApi.LEDGER, this::ledger),
        Route.of(StoreApi.WRITE_LEDGER, this::write),
        Route.of(StoreApi.AUDIT, this::audit),
        Route.of(StoreApi.DOCTOR, this::doctor));
  }

  /** The bounds are for everybody: a holder has to go by them. */
  private Answer facts(Call call) throws InterruptedException {
    call.requireKnownQuery();
    boolean all = call.principal().may(Permission.READ) && call.principal().covers("");
    SuspectedRollbacks suspected =
        all ? call.await(store.suspectedRollbacks()) : new SuspectedRollbacks(0, List.of());
    Optional<StoreIdentity> identity =
        all && store instanceof JdbcLeaseStore jdbc
            ? Optional.of(call.await(jdbc.identity()))
            : Optional.empty();
    return Answer.json(
        out -> {
          StoreFacts.write(out, store.limits(), suspected);
          identity.ifPresent(known -> write(out, known));
        });
  }

  private static void write(JsonOut out, StoreIdentity identity) {
    out.text("storeId", identity.storeId());
    out.number("incarnation", identity.incarnation());
    out.number("holdOffMs", identity.holdOffMillis());
    out.textIfAny("systemId", identity.systemId());
  }

  private Answer doctor(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    List<Diagnosis> found = call.await(examination.ask());
    return Answer.json(out -> Diagnosis.write(out, found));
  }

  private Answer advance(Call call) throws Exception {
    call.requireCovered("");
    Advance advance = StoreFacts.readAdvance(call.json());
    Advance.Outcome outcome = call.await(store.advance(advance));
    return switch (outcome) {
      case Advance.Advanced advanced -> {
        examination.forget();
        yield Answer.json(out -> StoreFacts.write(out, outcome));
      }
      case Advance.Refused refused ->
          Answer.problem(
              new Problem(Status.CONFLICT, "Refused", refused.why()),
              out -> StoreFacts.write(out, outcome));
    };
  }

  private Answer purge(Call call) throws Exception {
    call.requireCovered("");
    PurgeReport report = call.await(store.purge(StoreFacts.readPurge(call.json())));
    return Answer.json(out -> StoreFacts.write(out, report));
  }

  private Answer ledger(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    LedgerReading reading = call.await(store.ledger().read());
    return Answer.json(out -> Ledgers.write(out, reading));
  }

  private Answer write(Call call) throws Exception {
    List<LedgerEntry> entries = Ledgers.readEntries(call.json());
    for (LedgerEntry entry : entries) {
      call.requireCovered(
          switch (entry) {
            case LedgerEntry.Chartered chartered -> chartered.charter().kind() + "/";
            case LedgerEntry.Sealing sealing -> sealing.key().text();
            case LedgerEntry.Refused refused -> refused.claim().key().text();
          });
    }
    call.await(store.ledger().write(entries).thenApply(nothing -> true));
    return Answer.json(out -> out.number("written", entries.size()));
  }

  private Answer audit(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    AuditReport report = call.await(AuditFacts.of(store).thenApply(Audit::of));
    return Answer.json(
        out -> {
          out.number("atMs", report.atMillis());
          out.list("charters", report.charters(), StoreEndpoints::writeCharter);
          out.list("targets", report.targets(), StoreEndpoints::writeTarget);
          out.list("holes", report.holes(), StoreEndpoints::writeFinding);
          out.list("notes", report.notes(), StoreEndpoints::writeFinding);
          out.list(
              "refusals",
              report.refusals(),
              (item, refusal) ->
                  Ledgers.writeRefused(item.number("atMs", refusal.atMillis()), refusal.what()));
        });
  }

  private static void writeCharter(JsonOut out, LedgerReading.Charter kept) {
    Charters.write(out, kept.charter());
    out.text("holder", kept.holder()).number("lastAtMs", kept.lastAtMillis());
  }

  private static void writeTarget(JsonOut out, AuditReport.TargetLine line) {
    out.text("kind", line.kind());
    Charters.writeTarget(out, line.target());
    out.flag("checks", line.target().check().isFence());
    line.sealed().ifPresent(seal -> out.number("sealedAtMs", seal.atMillis()));
    out.list(
        "failed",
        line.failed(),
        (item, seal) ->
            item.text("key", seal.what().key().text())
                .text("why", seal.what().failure().orElse(""))
                .number("atMs", seal.atMillis()));
  }

  private static void writeFinding(JsonOut out, Finding finding) {
    out.text("rule", finding.rule().name()).text("about", finding.about());
    out.text("what", finding.what()).text("remedy", finding.remedy());
  }
}
