package dev.leasehold.testkit.history;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.Ending;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The rules with a log, a clock that can be stepped, and backups that can be restored. */
final class LoggingStore {
  private final Map<LeaseKey, Entry> entries = new TreeMap<>();
  private final List<TargetEvent> atEffect = new ArrayList<>();
  private StoreIncarnation storeIncarnation;
  private int highestIncarnation;
  private Backup backup;

  long clockMillis;

  private static final class Entry implements RequestMemory {
    LeaseRecord record;
    final Map<Remembered.Request, Remembered> effects = new HashMap<>();
    final Map<Token, LossReason> endings = new HashMap<>();
    final List<LogEntry> log = new ArrayList<>();

    Entry(LeaseRecord record) {
      this.record = record;
    }

    @Override
    public Optional<Remembered> effectOf(Remembered.Request request) {
      return Optional.ofNullable(effects.get(request));
    }

    @Override
    public Optional<LossReason> endOf(Token token) {
      return Optional.ofNullable(endings.get(token));
    }

    void log(long storeMillis, LogEntry.Effect effect) {
      log.add(new LogEntry(record.key(), log.size() + 1L, storeMillis, effect));
    }
  }

  private record Backup(
      StoreIncarnation storeIncarnation,
      Map<LeaseKey, SavedEntry> entries,
      int atEffect,
      long takenNanos) {}

  private record SavedEntry(
      LeaseRecord record, Map<Remembered.Request, Remembered> effects, int logged) {}

  LoggingStore(List<LeaseKey> keys, long clockMillis) {
    this.clockMillis = clockMillis;
    this.storeIncarnation = StoreIncarnation.first(clockMillis);
    this.highestIncarnation = storeIncarnation.incarnation();
    keys.forEach(
        key -> entries.put(key, new Entry(LeaseRecord.blank(key, storeIncarnation.floor()))));
    this.backup = backupAt(0);
  }

  Outcome apply(Command command) {
    Entry entry = entry(command.key());
    KeyState state = new KeyState(entry.record, storeIncarnation, entry);
    Decision decision = LeaseRules.decide(state, command, clockMillis, Limits.SINGLE_NODE);
    switch (decision.effect()) {
      case Decision.Unchanged unchanged -> {}
      case Decision.Delete delete -> {
        log(entry, command, decision, clockMillis);
        entry.record = LeaseRecord.blank(command.key(), delete.floor());
        entry.effects.clear();
        entry.endings.clear();
      }
      case Decision.Put put -> {
        log(entry, command, decision, put.record().writtenAtMillis());
        entry.record = put.record();
        put.remembered().ifPresent(effect -> entry.effects.put(effect.request(), effect));
        put.ending().ifPresent(ending -> remember(entry, ending));
      }
    }
    decision.followUp().ifPresent(this::apply);
    return decision.outcome();
  }

  private static void remember(Entry entry, Ending ending) {
    entry.endings.put(ending.token(), ending.reason());
  }

  private static void log(Entry entry, Command command, Decision decision, long storeMillis) {
    DecisionLog.effectOf(command, decision).ifPresent(effect -> entry.log(storeMillis, effect));
  }

  private Entry entry(LeaseKey key) {
    Entry entry = entries.get(key);
    if (entry == null) {
      throw new IllegalStateException("no such key in the model: " + key);
    }
    return entry;
  }

  /** A change in one transaction with the check: it is applied only under the current grant. */
  boolean changeAtEffect(LeaseKey key, Token token, long nanos) {
    Entry entry = entry(key);
    Optional<Grant> current =
        LeaseRules.inIncarnation(entry.record, storeIncarnation)
            .currentGrant()
            .filter(grant -> grant.token().equals(token));
    if (current.isPresent()) {
      TargetEvent.Action action = new TargetEvent.ChangedAtEffect(entry.log.size());
      atEffect.add(new TargetEvent("rows", key, token, atEffect.size() + 1L, nanos, action));
    }
    return current.isPresent();
  }

  void takeBackup(long nanos) {
    backup = backupAt(nanos);
  }

  private Backup backupAt(long nanos) {
    Map<LeaseKey, SavedEntry> saved = new HashMap<>();
    entries.forEach(
        (key, entry) ->
            saved.put(
                key, new SavedEntry(entry.record, Map.copyOf(entry.effects), entry.log.size())));
    return new Backup(storeIncarnation, saved, atEffect.size(), nanos);
  }

  /** Restores the backup and advances the incarnation; the log loses what the store loses. */
  List<Fault> rollBack(long nanos) {
    storeIncarnation = backup.storeIncarnation();
    backup.entries().forEach((key, saved) -> restore(entry(key), saved));
    atEffect.subList(backup.atEffect(), atEffect.size()).clear();
    Advance request = Advance.above(highestIncarnation);
    storeIncarnation =
        IncarnationRules.advance(storeIncarnation, request, clockMillis, Limits.MIN_HOLD_OFF_MILLIS)
            .storeIncarnation();
    highestIncarnation = storeIncarnation.incarnation();
    for (Entry entry : entries.values()) {
      long now = Math.max(clockMillis, entry.record.writtenAtMillis());
      entry.log(now, new LogEntry.IncarnationAdvanced(storeIncarnation.incarnation()));
    }
    Fault rolledBack = new Fault.RolledBack(backup.takenNanos(), nanos);
    return List.of(
        rolledBack, new Fault.IncarnationAdvanced(nanos, storeIncarnation.incarnation()));
  }

  private static void restore(Entry entry, SavedEntry saved) {
    entry.record = saved.record();
    entry.effects.clear();
    entry.effects.putAll(saved.effects());
    entry.log.subList(saved.logged(), entry.log.size()).clear();
  }

  List<Event> log() {
    List<Event> all = new ArrayList<>(atEffect);
    entries.values().forEach(entry -> all.addAll(entry.log));
    return all;
  }
}
