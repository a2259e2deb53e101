package dev.leasehold.testkit.contract;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One handle on rows that others may have too, sound as it stands: every command locks, reads,
 * decides and writes. Subclasses do one of these at the wrong time or in the wrong place.
 */
class RuledStore extends BrokenStore {
  /** What a database would hold. Concurrent maps, so that a broken store fails by its own fault. */
  static final class Rows {
    final InstantSource clock;
    final Map<LeaseKey, LeaseRecord> records = new ConcurrentHashMap<>();
    final Map<LeaseKey, Map<Token, LossReason>> ends = new ConcurrentHashMap<>();
    final Map<Integer, Token> floors = new ConcurrentHashMap<>();
    final Memory memory = new Memory();
    final AtomicLong suspicions = new AtomicLong();
    volatile StoreIncarnation storeIncarnation;

    Rows(InstantSource clock) {
      this.clock = clock;
      this.storeIncarnation = StoreIncarnation.first(clock.millis());
    }

    LeaseRecord of(LeaseKey key) {
      Token floor = floors.getOrDefault(Buckets.of(key), storeIncarnation.floor());
      return records.getOrDefault(key, LeaseRecord.blank(key, floor));
    }
  }

  /** Requests that changed something, by key. */
  static final class Memory {
    private final Map<LeaseKey, Map<Remembered.Request, Remembered>> effects =
        new ConcurrentHashMap<>();

    Map<Remembered.Request, Remembered> of(LeaseKey key) {
      return effects.computeIfAbsent(key, k -> new ConcurrentHashMap<>());
    }

    void forget(LeaseKey key) {
      effects.remove(key);
    }
  }

  final Rows rows;

  RuledStore(Rows rows) {
    super(rows.clock);
    this.rows = rows;
  }

  @Override
  final Outcome carryOut(Command command) {
    try {
      return decideAndWrite(command);
    } catch (IllFormedException e) {
      return new Outcome.Rejected(String.valueOf(e.getMessage()));
    }
  }

  Outcome decideAndWrite(Command command) {
    synchronized (rows) {
      return write(command, decide(rows.of(command.key()), memory().of(command.key()), command));
    }
  }

  Memory memory() {
    return rows.memory;
  }

  StoreIncarnation storeIncarnation() {
    return rows.storeIncarnation;
  }

  final Decision decide(
      LeaseRecord record, Map<Remembered.Request, Remembered> effects, Command command) {
    Map<Token, LossReason> ends = rows.ends.getOrDefault(command.key(), Map.of());
    RequestMemory requestMemory =
        new RequestMemory() {
          @Override
          public Optional<Remembered> effectOf(Remembered.Request request) {
            return Optional.ofNullable(effects.get(request));
          }

          @Override
          public Optional<LossReason> endOf(Token token) {
            return Optional.ofNullable(ends.get(token));
          }
        };
    KeyState state = new KeyState(record, storeIncarnation(), requestMemory);
    return LeaseRules.decide(state, command, rows.clock.millis(), Limits.SINGLE_NODE);
  }

  final Outcome write(Command command, Decision decision) {
    LeaseKey key = command.key();
    decision.unissued().ifPresent(token -> rows.suspicions.incrementAndGet());
    switch (decision.effect()) {
      case Decision.Unchanged unchanged -> {}
      case Decision.Put put -> {
        rows.records.put(key, put.record());
        put.remembered().ifPresent(effect -> memory().of(key).put(effect.request(), effect));
        put.ending()
            .ifPresent(
                ending ->
                    rows.ends
                        .computeIfAbsent(key, k -> new ConcurrentHashMap<>())
                        .put(ending.token(), ending.reason()));
      }
      case Decision.Delete delete -> {
        rows.floors.merge(Buckets.of(key), delete.floor(), (a, b) -> a.isAbove(b) ? a : b);
        rows.records.remove(key);
        rows.ends.remove(key);
        memory().forget(key);
      }
    }
    decision.followUp().ifPresent(this::carryOut);
    return decision.outcome();
  }

  @Override
  public CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    long now = rows.clock.millis();
    return CompletableFuture.completedFuture(
        Optional.ofNullable(rows.records.get(key))
            .map(record -> LeaseRules.inIncarnation(record, rows.storeIncarnation))
            .map(record -> new LeaseReading(record, Math.max(now, record.writtenAtMillis()))));
  }

  @Override
  public CompletionStage<LeasePage> list(ListQuery query) {
    List<LeaseReading> found =
        new TreeMap<>(rows.records)
            .keySet().stream()
                .filter(key -> key.text().startsWith(query.prefix()))
                .filter(key -> query.after().map(after -> after.compareTo(key) < 0).orElse(true))
                .map(key -> read(key).toCompletableFuture().join().orElseThrow())
                .toList();
    boolean more = found.size() > query.limit();
    List<LeaseReading> page = more ? found.subList(0, query.limit()) : found;
    return CompletableFuture.completedFuture(
        new LeasePage(page, more ? Optional.of(page.getLast().record().key()) : Optional.empty()));
  }

  @Override
  public CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    return CompletableFuture.completedFuture(
        new SuspectedRollbacks(rows.suspicions.get(), List.of()));
  }

  @Override
  public CompletionStage<PurgeReport> purge(PurgeQuery query) {
    long purged =
        List.copyOf(rows.records.keySet()).stream()
            .map(key -> carryOut(new Command.Purge(key, query.deadForMillis())))
            .filter(Outcome.Purged.class::isInstance)
            .count();
    return CompletableFuture.completedFuture(new PurgeReport(Math.toIntExact(purged)));
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    synchronized (rows) {
      long nowMillis = rows.clock.millis();
      long remainingMillis =
          rows.records.values().stream()
              .mapToLong(record -> IncarnationRules.remainingMillis(record, nowMillis))
              .max()
              .orElse(0);
      IncarnationRules.Advancing advancing =
          IncarnationRules.advance(rows.storeIncarnation, advance, nowMillis, remainingMillis);
      rows.storeIncarnation = advancing.storeIncarnation();
      return CompletableFuture.completedFuture(advancing.outcome());
    }
  }
}
