package dev.leasehold.server.doctor;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.audit.Audit;
import dev.leasehold.kernel.audit.AuditFacts;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.remote.wire.Diagnosis;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
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

/** Looks at an open store. Everything is asked at once, so that it takes as long as the slowest. */
public final class Doctor {
  private static final System.Logger LOG = System.getLogger(Doctor.class.getName());

  private final InstantSource wallClock;
  private final DatabaseChecks.Pending pending;
  private final Optional<String> ownVersion;

  /** {@code ownVersion} is held against those of the servers that have announced themselves. */
  public Doctor(
      InstantSource wallClock, DatabaseChecks.Pending pending, Optional<String> ownVersion) {
    this.wallClock = wallClock;
    this.pending = pending;
    this.ownVersion = ownVersion;
  }

  public CompletionStage<List<Diagnosis>> examine(LeaseStore store) {
    List<CompletableFuture<List<Diagnosis>>> checks = new ArrayList<>();
    if (store instanceof JdbcLeaseStore jdbc) {
      checks.add(
          looked("store", jdbc.examine(wallClock).thenApply(f -> DatabaseChecks.all(f, pending))));
      checks.add(
          looked(
              "delivery",
              jdbc.deliversChanges().thenApply(heard -> List.of(StoreChecks.delivery(heard)))));
      if (jdbc.rowLocks().areTold()) {
        checks.add(
            looked(
                "locks",
                jdbc.rowLocks()
                    .longerThan(StoreChecks.LONGEST_LOCK)
                    .thenApply(holders -> List.of(StoreChecks.locks(holders)))));
      }
      checks.add(
          CompletableFuture.completedFuture(
              List.of(
                  StoreChecks.clockSteps(jdbc.clockSteps()),
                  StoreChecks.witness(jdbc.witness(), jdbc.refusal()))));
      checks.add(looked("creators", jdbc.schemaCreators().thenApply(StoreChecks::creators)));
    }
    checks.add(
        looked(
            "versions",
            AnnouncedServer.on(store)
                .thenApply(servers -> List.of(StoreChecks.versions(ownVersion, servers)))));
    checks.add(
        looked(
            "audit",
            AuditFacts.of(store)
                .thenApply(facts -> StoreChecks.audit(Audit.of(facts), metByTargets(facts)))));
    return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new))
        .thenApply(done -> checks.stream().flatMap(check -> check.join().stream()).toList());
  }

  /** Kinds whose tokens have come to a target: there they protect something. */
  private static Set<String> metByTargets(AuditFacts facts) {
    return Stream.concat(
            facts.ledger().seals().stream().map(seal -> seal.what().key()),
            facts.ledger().refusals().stream().map(refusal -> refusal.what().claim().key()))
        .map(LeaseKey::kind)
        .collect(Collectors.toSet());
  }

  /** What cannot be looked at is no reason to keep the rest to oneself. */
  private static CompletableFuture<List<Diagnosis>> looked(
      String check, CompletionStage<List<Diagnosis>> looking) {
    return looking
        .exceptionally(
            failure -> {
              LOG.log(Level.WARNING, "the store could not be looked at: " + check, failure);
              return List.of(
                  new Diagnosis.Problem(
                      check,
                      "it could not be looked at; the log says why",
                      "see whether the database is up, and look again"));
            })
        .toCompletableFuture();
  }
}
