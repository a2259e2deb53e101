package dev.leasehold.kernel.audit;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * All that the audit looks at.
 *
 * @param kindsOnRecord kinds that the store has a lease of
 * @param suspected what this process's own handle of the store has come upon
 */
public record AuditFacts(
    LedgerReading ledger, Set<String> kindsOnRecord, SuspectedRollbacks suspected) {
  /** Beyond that many kinds, somebody uses kinds as names. */
  private static final int MOST_KINDS = 1_000;

  public AuditFacts {
    kindsOnRecord = Set.copyOf(kindsOnRecord);
  }

  /** Asks a store for them. */
  public static CompletionStage<AuditFacts> of(LeaseStore store) {
    return store
        .ledger()
        .read()
        .thenCompose(
            ledger ->
                kinds(store, Optional.empty(), new TreeSet<>())
                    .thenCombine(
                        store.suspectedRollbacks(),
                        (kinds, suspected) -> new AuditFacts(ledger, kinds, suspected)));
  }

  /** From kind to kind, however many leases each has. */
  private static CompletionStage<NavigableSet<String>> kinds(
      LeaseStore store, Optional<LeaseKey> after, NavigableSet<String> found) {
    return store
        .list(new ListQuery("", after, 1))
        .thenCompose(
            page -> {
              if (page.items().isEmpty() || found.size() == MOST_KINDS) {
                return CompletableFuture.completedFuture(found);
              }
              String kind = kindOf(page);
              found.add(kind);
              return kinds(store, Optional.of(lastKeyOf(kind)), found);
            });
  }

  private static String kindOf(LeasePage page) {
    return page.items().getFirst().record().key().kind();
  }

  /** No key of the kind comes after it, in the order of keys. */
  private static LeaseKey lastKeyOf(String kind) {
    return LeaseKey.of(kind, "~".repeat(LeaseKey.MAX_LENGTH - kind.length() - 1));
  }
}
