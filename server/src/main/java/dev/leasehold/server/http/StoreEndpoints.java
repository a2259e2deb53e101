package dev.leasehold.server.http;

import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.audit.AuditReport;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.api.StoreApi;
import dev.leasehold.remote.wire.Audits;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Ledgers;
import dev.leasehold.remote.wire.Problem;
import dev.leasehold.remote.wire.StoreFacts;
import dev.leasehold.server.doctor.DatabaseChecks.Pending;
import dev.leasehold.server.doctor.Doctor;
import dev.leasehold.server.doctor.SharedExamination;
import dev.leasehold.server.security.Permission;
import dev.leasehold.store.jdbc.Diagnostics;
import dev.leasehold.store.jdbc.StoreIdentity;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Endpoints for the store as a whole: {@code /v1/store}, {@code /v1/ledger}, {@code /v1/audit},
 * {@code /v1/doctor}. The caller's API key must cover all prefixes, except to read the store's
 * bounds and to write its own ledger entries.
 */
public final class StoreEndpoints {
  private final LeaseStore leases;
  private final Optional<Diagnostics> diagnostics;
  private final SharedExamination examination;

  /** {@code version} is this server's own version. */
  public StoreEndpoints(Store store, Optional<String> version) {
    this.leases = store.leases();
    this.diagnostics = store.part(Diagnostics.class);
    Doctor doctor = new Doctor(InstantSource.system(), Pending.LEFT_TO_PEOPLE, version);
    this.examination = new SharedExamination(() -> doctor.examine(store), Ticker.system());
  }

  public List<Route> routes() {
    return List.of(
        Route.of(StoreApi.FACTS, this::facts),
        Route.of(StoreApi.ADVANCE, this::advance),
        Route.purge(StoreApi.PURGE_ENDED, leases::purge),
        Route.of(StoreApi.LEDGER, this::ledger),
        Route.of(StoreApi.WRITE_LEDGER, this::write),
        Route.of(StoreApi.AUDIT, this::audit),
        Route.of(StoreApi.DOCTOR, this::doctor));
  }

  /** Every caller may read the bounds, because a holder needs them. */
  private ApiResponse facts(Call call) throws InterruptedException {
    call.requireKnownQuery();
    boolean all = call.principal().may(Permission.READ) && call.principal().covers("");
    SuspectedRollbacks suspected =
        all ? call.await(leases.suspectedRollbacks()) : new SuspectedRollbacks(0, List.of());
    Optional<StoreIdentity> identity =
        all && diagnostics.isPresent()
            ? Optional.of(call.await(diagnostics.get().identity()))
            : Optional.empty();
    return ApiResponse.json(
        out -> {
          StoreFacts.write(out, leases.limits(), suspected);
          identity.ifPresent(known -> write(out, known));
        });
  }

  private static void write(JsonOut out, StoreIdentity identity) {
    StoreFacts.writeIdentity(
        out, identity.storeId(), identity.incarnation(), identity.holdOffMillis());
    out.textIfAny("systemId", identity.systemId());
  }

  private ApiResponse doctor(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    List<Diagnosis> found = call.await(examination.ask());
    return ApiResponse.json(out -> Diagnosis.write(out, found));
  }

  private ApiResponse advance(Call call) throws Exception {
    call.requireCovered("");
    Advance advance = StoreFacts.readAdvance(call.json());
    Advance.Outcome outcome = call.await(leases.advance(advance));
    RequestSpans.outcome(StoreFacts.word(outcome));
    return switch (outcome) {
      case Advance.Advanced advanced -> {
        examination.forget();
        yield ApiResponse.json(out -> StoreFacts.write(out, outcome));
      }
      case Advance.Refused refused ->
          ApiResponse.problem(
              new Problem(Status.CONFLICT, "Refused", refused.why()),
              out -> StoreFacts.write(out, outcome));
    };
  }

  private ApiResponse ledger(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    LedgerReading reading = call.await(leases.ledger().read());
    return ApiResponse.json(out -> Ledgers.write(out, reading));
  }

  private ApiResponse write(Call call) throws Exception {
    List<LedgerEntry> entries =
        call.read(in -> Ledgers.readEntries(in, entry -> call.requireCovered(keyOrPrefix(entry))));
    call.await(leases.ledger().write(entries).thenApply(nothing -> true));
    return ApiResponse.json(out -> out.number("written", entries.size()));
  }

  private static String keyOrPrefix(LedgerEntry entry) {
    return switch (entry) {
      case LedgerEntry.Chartered chartered -> chartered.charter().kind() + "/";
      case LedgerEntry.Sealing sealing -> sealing.key().text();
      case LedgerEntry.Refused refused -> refused.claim().key().text();
    };
  }

  private ApiResponse audit(Call call) throws InterruptedException {
    call.requireKnownQuery();
    call.requireCovered("");
    AuditReport report = call.await(AuditFacts.of(leases).thenApply(Audit::of));
    return ApiResponse.json(out -> Audits.write(out, report));
  }
}
