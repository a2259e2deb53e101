package dev.leasehold.kernel.memory;

import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.LedgerReading;
import dev.leasehold.kernel.spi.TableFacts;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The reference ledger. It lives as long as its process. */
public final class MemoryLedger implements Ledger, AutoCloseable {
  private static final Comparator<LedgerReading.Charter> LATEST_FIRST =
      Comparator.comparingLong(LedgerReading.Charter::lastAtMillis)
          .thenComparingLong(LedgerReading.Charter::firstAtMillis)
          .reversed();

  private final InstantSource clock;

  // All guarded by the monitor of this ledger.
  private final Map<String, Map<LeaseCharter, LedgerReading.Charter>> charters = new TreeMap<>();
  private final Map<Place, LedgerReading.Seal> sealed = new TreeMap<>();

  /** By key, in the order of the last write. */
  private final Map<Place, LinkedHashMap<String, LedgerReading.Seal>> failed = new TreeMap<>();

  /** Oldest first. */
  private final Map<RequestId, LedgerReading.Refusal> refusals = new LinkedHashMap<>();

  private boolean closed;

  private record Place(String kind, String target) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      int byKind = kind.compareTo(other.kind);
      return byKind == 0 ? target.compareTo(other.target) : byKind;
    }
  }

  public MemoryLedger(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public synchronized CompletionStage<Void> write(List<LedgerEntry> entries) {
    if (closed) {
      return closedStore();
    }
    entries.forEach(entry -> write(entry, clock.millis()));
    return CompletableFuture.completedFuture(null);
  }

  private void write(LedgerEntry entry, long now) {
    switch (entry) {
      case LedgerEntry.Chartered chartered -> write(chartered, now);
      case LedgerEntry.Sealing sealing -> write(sealing, now);
      case LedgerEntry.Refused refused -> write(refused, now);
    }
  }

  private void write(LedgerEntry.Chartered entry, long now) {
    Map<LeaseCharter, LedgerReading.Charter> ofKind =
        charters.computeIfAbsent(entry.charter().kind(), kind -> new LinkedHashMap<>());
    LedgerReading.Charter known = ofKind.get(entry.charter());
    long first = known == null ? now : known.firstAtMillis();
    ofKind.put(
        entry.charter(), new LedgerReading.Charter(entry.charter(), entry.holder(), first, now));
    ofKind.values().stream()
        .sorted(LATEST_FIRST)
        .skip(CHARTERS_KEPT)
        .toList()
        .forEach(old -> ofKind.remove(old.charter()));
  }

  private void write(LedgerEntry.Sealing entry, long now) {
    Place place = new Place(entry.key().kind(), entry.target());
    LedgerReading.Seal seal = new LedgerReading.Seal(entry, now);
    LinkedHashMap<String, LedgerReading.Seal> failures =
        failed.computeIfAbsent(place, p -> new LinkedHashMap<>());
    String key = entry.key().text();
    LedgerReading.Seal failure = failures.get(key);
    if (entry.failure().isEmpty()) {
      sealed.merge(place, seal, (was, is) -> entry.replaces(was.what()) ? is : was);
      if (failure != null && entry.makesUpFor(failure.what())) {
        failures.remove(key);
      }
    } else if (failure == null || entry.replaces(failure.what())) {
      failures.putLast(key, seal);
      if (failures.size() > FAILED_SEALS_KEPT) {
        failures.pollFirstEntry();
      }
    }
  }

  private void write(LedgerEntry.Refused entry, long now) {
    if (refusals.putIfAbsent(entry.id(), new LedgerReading.Refusal(entry, now)) != null) {
      return;
    }
    List<RequestId> alike =
        refusals.values().stream()
            .map(LedgerReading.Refusal::what)
            .filter(kept -> kept.suspectsRollback() == entry.suspectsRollback())
            .map(LedgerEntry.Refused::id)
            .toList();
    if (alike.size() > REFUSALS_KEPT) {
      refusals.remove(alike.getFirst());
    }
  }

  @Override
  public synchronized CompletionStage<LedgerReading> read() {
    if (closed) {
      return closedStore();
    }
    List<LedgerReading.Charter> published =
        charters.values().stream()
            .flatMap(ofKind -> ofKind.values().stream().sorted(LATEST_FIRST))
            .toList();
    Map<Place, List<LedgerReading.Seal>> seals = new TreeMap<>();
    sealed.forEach((p, seal) -> seals.computeIfAbsent(p, x -> new ArrayList<>()).add(seal));
    failed.forEach(
        (p, ofKeys) ->
            seals
                .computeIfAbsent(p, x -> new ArrayList<>())
                .addAll(new TreeMap<>(ofKeys).values()));
    return CompletableFuture.completedFuture(
        new LedgerReading(
            clock.millis(),
            published,
            seals.values().stream().flatMap(List::stream).toList(),
            new ArrayList<>(refusals.values()).reversed(),
            TableFacts.NONE));
  }

  @Override
  public synchronized void close() {
    closed = true;
  }

  private static <T> CompletionStage<T> closedStore() {
    return CompletableFuture.failedFuture(
        new IllegalStateException("the memory store is closed, and its ledger went with it"));
  }
}
