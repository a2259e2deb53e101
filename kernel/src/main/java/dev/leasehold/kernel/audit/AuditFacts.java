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
 * Everything that the audit examines.
 *
 * @param kindsOnRecord kinds of which the store has a lease
 * @param suspected the suspected rollbacks that this process's own store has seen
 */
public record AuditFacts(
    LedgerReading ledger, Set<String> kindsOnRecord, SuspectedRollbacks suspected) {
  /** More kinds than this mean that the application uses kinds as names; the audit stops there. */
  private static final int MOST_KINDS = 1_000;

  public AuditFacts {
    kindsOnRecord = Set.copyOf(kindsOnRecord);
  }

  /** Reads the facts from a store. */
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

  /** Reads one lease of each kind, so the cost does not depend on the number of leases. */
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

  /** The last possible key of the kind in the order of keys. */
  private static LeaseKey lastKeyOf(String kind) {
    return LeaseKey.of(kind, "~".repeat(LeaseKey.MAX_LENGTH - kind.length() - 1));
  }
}
