package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.testkit.history.DecisionLog;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.LogEntry;
import dev.leasehold.testkit.history.TargetEvent;
import dev.leasehold.testkit.model.ModelStore;
import dev.leasehold.testkit.model.Rules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The store: the model, a wall clock of its own, a log, and a target inside it. */
final class SimStore {
  private static final long START_MILLIS = 1_790_000_000_000L;
  private static final long DEAD_MILLIS = 45_000;
  static final Limits LIMITS = Limits.SINGLE_NODE;

  private final World world;
  private final ModelStore model;
  private final Consumer<LeaseChange> hints;
  private final Map<LeaseKey, Keyed> keys = new TreeMap<>();
  private final List<Event> faults = new ArrayList<>();
  private final Set<Token> strays = new HashSet<>();
  private long offsetMillis;
  private long steppedBackMillis;
  private int highestIncarnation;
  private boolean applyingStray;
  private boolean previewing;
  private Optional<Command> followUp = Optional.empty();
  private Optional<Token> floorRead = Optional.empty();
  private final Chain chain = new Chain();
  private final LostLines lostLines = new LostLines();
  private boolean doubted;
  private long rolledBackNanos = Long.MIN_VALUE / 2;

  /** What the simulation keeps of one key, and copies into a backup. */
  private static final class Keyed {
    Optional<LeaseRecord> record = Optional.empty();
    long sequence;
    final List<Event> written = new ArrayList<>();

    /**
     * Tokens below this may only be trusted by holders that were not told of their end; there the
     * fence alone decides.
     */
    long fenceAloneBelow;

    /** The highest token that was ever issued; restoring a backup does not lower it. */
    long highest;

    /** Tokens that were issued twice, after an unnoticed rollback. */
    final Set<Token> doubled = new HashSet<>();

    /** For each grant the one that was current when it was given. */
    final Map<Token, Optional<Token>> before = new HashMap<>();
  }

  /** A copy that can be restored. */
  record Backup(
      ModelStore.Snapshot snapshot,
      Chain.Copy chain,
      long takenNanos,
      Map<LeaseKey, Optional<LeaseRecord>> records,
      Map<LeaseKey, Integer> written) {}

  SimStore(World world, Consumer<LeaseChange> hints) {
    this.world = world;
    this.hints = hints;
    this.model = new ModelStore(this::decide, LIMITS, START_MILLIS);
    this.highestIncarnation = model.storeIncarnation().incarnation();
  }

  long clockMillis() {
    return START_MILLIS + world.now() / World.MILLI + offsetMillis;
  }

  /**
   * What a decision is based on.
   *
   * @param floor the floor that it has read, if that may differ from the current one
   */
  record Reading(long clockMillis, Optional<Token> floor, boolean stray) {}

  private Decision decide(KeyState read, Command command, long clockMillis, Limits limits) {
    KeyState state =
        floorRead
            .map(floor -> LeaseRecord.blank(command.key(), floor))
            .map(blank -> new KeyState(blank, read.storeIncarnation(), read.memory()))
            .orElse(read);
    Decision decision = Rules.sound().decide(state, command, clockMillis, limits);
    if (previewing) {
      return decision;
    }
    long storeMillis = Math.max(clockMillis, state.record().writtenAtMillis());
    DecisionLog.effectOf(command, decision)
        .ifPresent(effect -> write(command.key(), storeMillis, effect, decision));
    if (decision.outcome() instanceof Outcome.Granted granted
        && decision.effect() instanceof Decision.Put) {
      LeaseRecord before = LeaseRules.inIncarnation(state.record(), state.storeIncarnation());
      of(command.key())
          .before
          .put(granted.grant().token(), before.currentGrant().map(Grant::token));
    }
    if (!world.plan().hasRows) {
      return decision;
    }
    followUp = decision.followUp();
    return new Decision(
        decision.outcome(), decision.effect(), decision.unissued(), Optional.empty());
  }

  private void write(LeaseKey key, long storeMillis, LogEntry.Effect effect, Decision decision) {
    Keyed keyed = of(key);
    keyed.sequence++;
    keyed.written.add(new LogEntry(key, keyed.sequence, storeMillis, effect));
    world.trace("store", () -> key + " " + effect + " at " + (storeMillis - START_MILLIS));
    if (effect instanceof LogEntry.Issuing issuing) {
      issue(key, keyed, issuing.issued());
    }
    switch (effect) {
      case LogEntry.Granted granted when applyingStray -> strays.add(granted.token());
      case LogEntry.Renewed renewed when applyingStray -> strays.add(renewed.token());
      default -> {}
    }
    switch (decision.effect()) {
      case Decision.Put put -> {
        keyed.record = Optional.of(put.record());
        put.changes().forEach(hints);
      }
      case Decision.Delete delete -> keyed.record = Optional.empty();
      case Decision.Unchanged unchanged -> {}
    }
  }

  /** I2, in addition to the history's check: a token is new, unless writes were lost unnoticed. */
  private void issue(LeaseKey key, Keyed keyed, Token token) {
    chain.granted();
    if (token.value() > keyed.highest) {
      keyed.highest = token.value();
      return;
    }
    keyed.doubled.add(token);
    world.covered(CoveragePoint.ISSUED_A_TOKEN_AGAIN);
    if (!doubted) {
      world.broken("I2", "token " + token + " of " + key + " was issued again after an advance");
    }
  }

  /** Whether two holders may have this token, because writes were lost unnoticed. */
  boolean isDoubled(LeaseKey key, Token token) {
    return of(key).doubled.contains(token);
  }

  /** Whether a grant followed directly on the one that was expected. */
  boolean follows(LeaseKey key, Token token, Token expected) {
    return of(key).before.getOrDefault(token, Optional.empty()).equals(Optional.of(expected));
  }

  /** What a reader is told of the current grant. */
  Optional<Command.Expected> current(LeaseKey key) {
    return model
        .read(key, clockMillis())
        .flatMap(reading -> reading.record().currentGrant())
        .map(grant -> new Command.Expected(grant.instanceId(), grant.token()));
  }

  private Keyed of(LeaseKey key) {
    return keys.computeIfAbsent(key, k -> new Keyed());
  }

  /** The outcome of a command that changes nothing; empty if it would change something. */
  Optional<Outcome> unchangedBy(Command command) {
    previewing = true;
    try {
      Decision decision = model.preview(command, clockMillis());
      return decision.effect() instanceof Decision.Unchanged
          ? Optional.of(decision.outcome())
          : Optional.empty();
    } finally {
      previewing = false;
    }
  }

  /** The command that the store sends to itself after the last one, in a transaction of its own. */
  Optional<Command> takeFollowUp() {
    Optional<Command> next = followUp;
    followUp = Optional.empty();
    return next;
  }

  boolean has(LeaseKey key) {
    return of(key).record.isPresent();
  }

  Token floorOf(LeaseKey key) {
    return model.floorOf(key);
  }

  /** Held by the latest grant, for an acquire that cannot be decided now and may ask again. */
  Optional<Outcome> heldBy(LeaseKey key) {
    return of(key)
        .record
        .flatMap(LeaseRecord::grant)
        .map(g -> new Outcome.Held(g.terms().info().holder(), g.instanceId(), g.token(), 0));
  }

  /** Carries out a command at its commit, with what was read under its locks. */
  Outcome apply(Command command, Reading reading) {
    applyingStray = reading.stray();
    floorRead = reading.floor();
    try {
      return apply(command, reading.clockMillis());
    } finally {
      applyingStray = false;
      floorRead = Optional.empty();
    }
  }

  Outcome apply(Command command) {
    return apply(command, clockMillis());
  }

  private Outcome apply(Command command, long clockMillis) {
    Outcome outcome = model.apply(command, clockMillis);
    boolean opensEarly =
        outcome instanceof Outcome.Revoked
            && ((Command.Revoke) command).reopening() == Command.Reopening.NOW;
    if (opensEarly) {
      of(command.key()).fenceAloneBelow = lastOf(command.key());
    }
    return outcome;
  }

  /** The same for a request whose sender may have forgotten it. */
  Outcome applyStray(Command command) {
    applyingStray = true;
    try {
      return apply(command);
    } finally {
      applyingStray = false;
    }
  }

  /** The store could not carry out a command that it sent to itself. */
  void leftToExpire(Command command) {
    if (command instanceof Command.EndStalled end) {
      strays.add(end.token());
    }
  }

  /** Whether no process knows of the grant: its request came late or twice, or its end was lost. */
  boolean isStray(Token token) {
    return strays.contains(token);
  }

  private long lastOf(LeaseKey key) {
    return of(key).record.map(record -> record.last().value()).orElse(0L);
  }

  /** The unexpired grant of a key. */
  Optional<Grant> unexpired(LeaseKey key) {
    Optional<LeaseRecord> record = of(key).record;
    if (record.isEmpty() || record.get().grant().isEmpty()) {
      return Optional.empty();
    }
    Grant grant = record.get().grant().get();
    boolean lasts =
        grant.token().incarnation() >= model.storeIncarnation().incarnation()
            && grant.isUnexpired(timeOf(record.get()));
    return lasts ? Optional.of(grant) : Optional.empty();
  }

  private long timeOf(LeaseRecord record) {
    return Math.max(clockMillis(), record.writtenAtMillis());
  }

  /**
   * Why no holder may trust the token any more; empty while its holder may, or if the protocol
   * promises only the fence.
   */
  Optional<String> whyNotTrusted(LeaseKey key, Token token) {
    Keyed keyed = of(key);
    boolean fenceAlone =
        token.incarnation() < model.storeIncarnation().incarnation()
            || token.value() < keyed.fenceAloneBelow;
    if (fenceAlone || doubted) {
      return Optional.empty();
    }
    if (keyed.record.isEmpty() || keyed.record.get().grant().isEmpty()) {
      return Optional.of("the store has no record of it");
    }
    Grant grant = keyed.record.get().grant().get();
    if (!grant.token().equals(token)) {
      return Optional.of("token " + grant.token() + " was granted to another");
    }
    long now = timeOf(keyed.record.get());
    boolean lasts =
        switch (grant.standing()) {
          case Standing.Open open -> true;
          case Standing.Lapsed lapsed -> false;
          case Standing.Ended ended ->
              ended.reason() instanceof LossReason.Revoked
                  || ended.reason() instanceof LossReason.Stalled;
        };
    return lasts && now < grant.expiresAtMillis()
        ? Optional.empty()
        : Optional.of(
            "it expired at "
                + (grant.expiresAtMillis() - START_MILLIS)
                + " and is "
                + grant.standing()
                + ", the store's time is "
                + (now - START_MILLIS));
  }

  /** The target inside the store: the check and the change are one transaction. */
  void changeAtEffect(LeaseKey key, Token token) {
    if (isCurrent(key, token)) {
      changedAtEffect(key, token);
    } else {
      refuseAtEffect(key, token);
    }
  }

  boolean isCurrent(LeaseKey key, Token token) {
    return token.incarnation() >= model.storeIncarnation().incarnation()
        && of(key)
            .record
            .flatMap(LeaseRecord::currentGrant)
            .filter(grant -> grant.token().equals(token))
            .isPresent();
  }

  void changedAtEffect(LeaseKey key, Token token) {
    note(key, token, new TargetEvent.ChangedAtEffect(of(key).sequence));
  }

  void refuseAtEffect(LeaseKey key, Token token) {
    note(key, token, new TargetEvent.Refused());
  }

  private void note(LeaseKey key, Token token, TargetEvent.Action action) {
    List<Event> written = of(key).written;
    written.add(new TargetEvent("at-effect", key, token, written.size(), world.now(), action));
  }

  void purge() {
    model.purge(new PurgeQuery(0, 100), clockMillis());
  }

  /** Forgets a key if it has been dead for long enough. */
  void purge(LeaseKey key, long clockMillis) {
    model.apply(new Command.Purge(key, 0), clockMillis);
  }

  List<LeaseKey> keys() {
    return List.copyOf(keys.keySet());
  }

  /** Whether every holder of the key, and every caller that asked for it, has long given up. */
  boolean isDead(LeaseKey key) {
    Optional<LeaseRecord> record = of(key).record;
    return record.isPresent()
        && unexpired(key).isEmpty()
        && clockMillis() - record.get().writtenAtMillis() > DEAD_MILLIS;
  }

  /** A row is deleted, and the table's trigger raises the floor. */
  void deleteByHand(LeaseKey key) {
    Keyed keyed = of(key);
    Token floor = model.delete(key);
    keyed.record = Optional.empty();
    keyed.sequence++;
    keyed.written.add(new LogEntry(key, keyed.sequence, clockMillis(), new LogEntry.Purged(floor)));
    world.trace("operator", () -> "deletes the row of " + key + ", the floor is " + floor);
    world.covered(CoveragePoint.DELETED_A_ROW_BY_HAND);
  }

  Chain chain() {
    return chain;
  }

  int incarnation() {
    return model.storeIncarnation().incarnation();
  }

  void stepClock(long byMillis) {
    offsetMillis += byMillis;
    steppedBackMillis += Math.max(0, -byMillis);
    faults.add(new Fault.ClockStepped(world.now(), byMillis));
  }

  /** How late an expiry may be, because of all backward steps of the clock together. */
  long steppedBackNanos() {
    return steppedBackMillis * World.MILLI;
  }

  Backup backup() {
    Map<LeaseKey, Optional<LeaseRecord>> records = new TreeMap<>();
    Map<LeaseKey, Integer> written = new TreeMap<>();
    keys.forEach((key, keyed) -> records.put(key, keyed.record));
    keys.forEach((key, keyed) -> written.put(key, keyed.written.size()));
    return new Backup(model.snapshot(), chain.copy(), world.now(), records, written);
  }

  /** Restores the backup, and advances the incarnation before any process can ask. */
  void restore(Backup backup) {
    rollBack(backup);
    advance();
  }

  /** Restores the backup without an advance. */
  void rollBackSilently(Backup backup) {
    rollBack(backup);
    lostLines.add(backup.takenNanos(), world.now());
  }

  private void rollBack(Backup backup) {
    model.restore(backup.snapshot(), clockMillis());
    chain.restore(backup.chain());
    keys.forEach((key, keyed) -> restore(keyed, key, backup));
    faults.add(new Fault.RolledBack(backup.takenNanos(), world.now()));
    doubted = true;
    rolledBackNanos = world.now();
  }

  /** Whether writes were lost and the incarnation has not been advanced since. */
  boolean isDoubted() {
    return doubted;
  }

  LostLines lostLines() {
    return lostLines;
  }

  /** When writes were last lost; long ago if never. */
  long rolledBackNanos() {
    return rolledBackNanos;
  }

  /** Advances the incarnation, as an operator does who knows that writes were lost. */
  void advance() {
    Advance.Outcome outcome = model.advance(Advance.above(highestIncarnation), clockMillis());
    highestIncarnation = model.storeIncarnation().incarnation();
    doubted = false;
    world.trace("operator", () -> "advances the incarnation: " + outcome);
    keys.forEach(this::advanced);
    faults.add(new Fault.IncarnationAdvanced(world.now(), highestIncarnation));
  }

  private static void restore(Keyed keyed, LeaseKey key, Backup backup) {
    keyed.record = backup.records().getOrDefault(key, Optional.empty());
    int kept = Math.min(keyed.written.size(), backup.written().getOrDefault(key, 0));
    keyed.written.subList(kept, keyed.written.size()).clear();
  }

  private void advanced(LeaseKey key, Keyed keyed) {
    keyed.sequence++;
    keyed.written.add(
        new LogEntry(
            key,
            keyed.sequence,
            clockMillis(),
            new LogEntry.IncarnationAdvanced(highestIncarnation)));
  }

  /** All writes, and all faults of the store. */
  List<Event> events() {
    List<Event> events = new ArrayList<>(faults);
    keys.values().forEach(keyed -> events.addAll(keyed.written));
    return events;
  }
}
