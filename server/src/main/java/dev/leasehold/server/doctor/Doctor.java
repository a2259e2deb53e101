package dev.leasehold.server.doctor;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.store.jdbc.Diagnostics;
import dev.leasehold.store.jdbc.RowLocks;
import java.lang.System.Logger.Level;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Examines an open store. All checks run at once, so that the examination takes as long as the
 * slowest of them.
 */
public final class Doctor {
  private static final System.Logger LOG = System.getLogger(Doctor.class.getName());

  private final InstantSource wallClock;
  private final DatabaseChecks.Pending pending;
  private final Optional<String> ownVersion;

  /** {@code ownVersion} is compared with the versions of the announced servers. */
  public Doctor(
      InstantSource wallClock, DatabaseChecks.Pending pending, Optional<String> ownVersion) {
    this.wallClock = wallClock;
    this.pending = pending;
    this.ownVersion = ownVersion;
  }

  public CompletionStage<List<Diagnosis>> examine(Store store) {
    List<CompletableFuture<List<Diagnosis>>> checks = new ArrayList<>();
    store
        .part(Diagnostics.class)
        .ifPresent(known -> checks.addAll(ofDatabase(known, store.part(RowLocks.class))));
    checks.add(
        looked(
            "versions",
            AnnouncedServer.on(store.leases())
                .thenApply(servers -> List.of(StoreChecks.versions(ownVersion, servers)))));
    checks.add(
        looked(
            "audit",
            AuditFacts.of(store.leases())
                .thenApply(facts -> StoreChecks.audit(Audit.of(facts), metByTargets(facts)))));
    return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new))
        .thenApply(done -> checks.stream().flatMap(check -> check.join().stream()).toList());
  }

  private List<CompletableFuture<List<Diagnosis>>> ofDatabase(
      Diagnostics store, Optional<RowLocks> rowLocks) {
    List<CompletableFuture<List<Diagnosis>>> checks = new ArrayList<>();
    checks.add(
        looked("store", store.examine(wallClock).thenApply(f -> DatabaseChecks.all(f, pending))));
    checks.add(
        looked(
            "delivery",
            store.deliversChanges().thenApply(heard -> List.of(StoreChecks.delivery(heard)))));
    rowLocks.ifPresent(
        locks ->
            checks.add(
                looked(
                    "locks",
                    locks
                        .longerThan(StoreChecks.LONGEST_LOCK)
                        .thenApply(holders -> List.of(StoreChecks.locks(holders))))));
    checks.add(
        CompletableFuture.completedFuture(
            List.of(
                StoreChecks.clockSteps(store.clockSteps()),
                StoreChecks.witness(store.witness(), store.refusal()))));
    checks.add(looked("creators", store.schemaCreators().thenApply(StoreChecks::creators)));
    return checks;
  }

  /** Kinds whose tokens have reached a target: only there do the tokens protect something. */
  private static Set<String> metByTargets(AuditFacts facts) {
    return Stream.concat(
            facts.ledger().seals().stream().map(seal -> seal.what().key()),
            facts.ledger().refusals().stream().map(refusal -> refusal.what().claim().key()))
        .map(LeaseKey::kind)
        .collect(Collectors.toSet());
  }

  /** A check that fails becomes a diagnosis, so that the results of the others are still shown. */
  private static CompletableFuture<List<Diagnosis>> looked(
      String check, CompletionStage<List<Diagnosis>> looking) {
    return looking
        .exceptionally(
            failure -> {
              LOG.log(Level.WARNING, "a check of the store failed: " + check, failure);
              return List.of(
                  new Diagnosis.Problem(
                      check,
                      "this check failed; the log says why",
                      "see whether the database is up, and look again"));
            })
        .toCompletableFuture();
  }
}
