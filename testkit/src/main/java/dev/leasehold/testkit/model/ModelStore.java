package dev.leasehold.testkit.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A store for one thread: rules, maps, and the time as an argument. */
public final class ModelStore {
  private final Rules rules;
  private final Limits limits;
  private final StoreLog log = new StoreLog();
  private final List<SuspectedRollbacks.Case> suspicions = new ArrayList<>();
  private final NavigableMap<LeaseKey, ModelKey> keys = new TreeMap<>();
  private final Map<Integer, Token> floors = new TreeMap<>();
  private final Token firstFloor;
  private StoreIncarnation storeIncarnation;

  public ModelStore(Rules rules, Limits limits, long startMillis) {
    this.rules = rules;
    this.limits = limits;
    this.storeIncarnation = StoreIncarnation.first(startMillis);
    this.firstFloor = storeIncarnation.floor();
  }

  /** A backup of a store. What it tells later does not change with the store it was taken from. */
  public static final class Snapshot {
    private final Map<LeaseKey, ModelKey> keys = new TreeMap<>();
    private final Map<Integer, Token> floors;
    private final StoreIncarnation storeIncarnation;

    private Snapshot(ModelStore store) {
      store.keys.forEach((key, kept) -> keys.put(key, kept.copy()));
      this.floors = Map.copyOf(store.floors);
      this.storeIncarnation = store.storeIncarnation;
    }
  }

  /** Carries out a command, and those that the store has to send itself because of it. */
  public Outcome apply(Command command, long nowMillis) {
    try {
      Decision decision = decide(command, nowMillis);
      decision.unissued().ifPresent(token -> suspect(command.key(), token, nowMillis));
      write(command.key(), decision.effect());
      note(command, decision.outcome(), changesOf(decision.effect()), nowMillis);
      decision.followUp().ifPresent(next -> apply(next, nowMillis));
      return decision.outcome();
    } catch (IllFormedException | TokenExhaustedException e) {
      Outcome rejected = new Outcome.Rejected(String.valueOf(e.getMessage()));
      note(command, rejected, List.of(), nowMillis);
      return rejected;
    }
  }

  /** What a command would come to; nothing is changed. */
  public Decision preview(Command command, long nowMillis) {
    return decide(command, nowMillis);
  }

  /** Forgets a key as a row that is deleted by hand is forgotten; its bucket's floor rises. */
  public Token delete(LeaseKey key) {
    ModelKey kept = keys.remove(key);
    if (kept != null) {
      floors.merge(Buckets.of(key), kept.record.last(), (a, b) -> a.isAbove(b) ? a : b);
    }
    return floorOf(key);
  }

  private Decision decide(Command command, long nowMillis) {
    LeaseKey key = command.key();
    ModelKey kept = keys.get(key);
    if (kept == null) {
      kept = new ModelKey(LeaseRecord.blank(key, floorOf(key)));
    }
    kept.forgetRequestsBefore(nowMillis - limits.memoryMillis());
    KeyState state =
        new KeyState(kept.record, storeIncarnation, kept.remembering(limits.endingsKept()));
    return rules.decide(state, command, nowMillis, limits);
  }

  private void write(LeaseKey key, Decision.Effect effect) {
    switch (effect) {
      case Decision.Unchanged unchanged -> {}
      case Decision.Put put -> {
        ModelKey kept = keys.computeIfAbsent(key, k -> new ModelKey(put.record()));
        kept.record = put.record();
        put.remembered().ifPresent(kept::remember);
        put.ending().ifPresent(kept::remember);
      }
      case Decision.Delete delete -> {
        floors.merge(Buckets.of(key), delete.floor(), (a, b) -> a.isAbove(b) ? a : b);
        keys.remove(key);
      }
    }
  }

  private static List<LeaseChange> changesOf(Decision.Effect effect) {
    return effect instanceof Decision.Put put ? put.changes() : List.of();
  }

  private void note(Command command, Outcome outcome, List<LeaseChange> changes, long nowMillis) {
    LeaseKey key = command.key();
    log.add(
        new StoreLog.Decided(
            log.nextSequence(),
            timeOf(key, nowMillis),
            command.getClass(),
            key,
            outcome,
            read(key, nowMillis).map(LeaseReading::record),
            changes));
  }

  private void suspect(LeaseKey key, Token brought, long nowMillis) {
    Token last = Optional.ofNullable(keys.get(key)).map(k -> k.record.last()).orElse(floorOf(key));
    suspicions.add(0, new SuspectedRollbacks.Case(key, brought, last, nowMillis));
  }

  /** What the next token of a key is above that has no record. */
  public Token floorOf(LeaseKey key) {
    return floors.getOrDefault(Buckets.of(key), firstFloor);
  }

  /** The time that a key lives in: the clock's, but never behind what was written. */
  public long timeOf(LeaseKey key, long nowMillis) {
    ModelKey kept = keys.get(key);
    return kept == null ? nowMillis : Math.max(nowMillis, kept.record.writtenAtMillis());
  }

  public Optional<LeaseReading> read(LeaseKey key, long nowMillis) {
    return Optional.ofNullable(keys.get(key)).map(kept -> reading(kept, nowMillis));
  }

  private LeaseReading reading(ModelKey kept, long nowMillis) {
    LeaseRecord record = LeaseRules.inIncarnation(kept.record, storeIncarnation);
    return new LeaseReading(record, Math.max(nowMillis, record.writtenAtMillis()));
  }

  public LeasePage list(ListQuery query, long nowMillis) {
    List<LeaseReading> found =
        keys.values().stream()
            .filter(kept -> kept.record.key().text().startsWith(query.prefix()))
            .filter(kept -> query.after().map(a -> a.compareTo(kept.record.key()) < 0).orElse(true))
            .limit(query.limit() + 1L)
            .map(kept -> reading(kept, nowMillis))
            .toList();
    if (found.size() <= query.limit()) {
      return new LeasePage(found, Optional.empty());
    }
    List<LeaseReading> page = found.subList(0, query.limit());
    return new LeasePage(page, Optional.of(page.getLast().record().key()));
  }

  public PurgeReport purge(PurgeQuery query, long nowMillis) {
    int purged = 0;
    for (LeaseKey key : List.copyOf(keys.keySet())) {
      Command purge = new Command.Purge(key, query.deadForMillis());
      if (purged < query.limit() && apply(purge, nowMillis) instanceof Outcome.Purged) {
        purged++;
      }
    }
    return new PurgeReport(purged);
  }

  public Advance.Outcome advance(Advance advance, long nowMillis) {
    long remainingMillis =
        keys.values().stream()
            .mapToLong(kept -> IncarnationRules.remainingMillis(kept.record, nowMillis))
            .max()
            .orElse(0);
    IncarnationRules.Advancing advancing =
        IncarnationRules.advance(storeIncarnation, advance, nowMillis, remainingMillis);
    storeIncarnation = advancing.storeIncarnation();
    log.add(new StoreLog.Advanced(log.nextSequence(), nowMillis, advancing.outcome()));
    return advancing.outcome();
  }

  public SuspectedRollbacks suspectedRollbacks() {
    int kept = Math.min(suspicions.size(), SuspectedRollbacks.KEPT);
    return new SuspectedRollbacks(suspicions.size(), suspicions.subList(0, kept));
  }

  /**
   * How an earlier grant of the key ended, also when that is further back than the limits make a
   * store remember: one that remembers more may tell.
   */
  public Optional<LossReason> trueEndOf(LeaseKey key, Token token) {
    return Optional.ofNullable(keys.get(key)).flatMap(kept -> kept.trueEndOf(token));
  }

  /** Which incarnation new tokens have, and until when nothing is granted. */
  public StoreIncarnation storeIncarnation() {
    return storeIncarnation;
  }

  public Limits limits() {
    return limits;
  }

  public StoreLog log() {
    return log;
  }

  public Snapshot snapshot() {
    return new Snapshot(this);
  }

  /** Goes back to the state of a snapshot, as when an operator restores a backup. */
  public void restore(Snapshot snapshot, long nowMillis) {
    keys.clear();
    snapshot.keys.forEach((key, kept) -> keys.put(key, kept.copy()));
    floors.clear();
    floors.putAll(snapshot.floors);
    storeIncarnation = snapshot.storeIncarnation;
    log.add(new StoreLog.Restored(log.nextSequence(), nowMillis));
  }
}
