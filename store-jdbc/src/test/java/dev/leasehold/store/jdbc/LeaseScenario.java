package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.interleaving.Actor;
import dev.leasehold.store.jdbc.interleaving.Scenario;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.Invariant;
import dev.leasehold.testkit.history.LogEntry;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Operations side by side on one key, and the conditions that their results must meet. */
final class LeaseScenario implements Scenario {
  private static final String STATE =
      """
      SELECT f.token, s.incarnation, l.last_token
        FROM leasehold_floor f
       CROSS JOIN leasehold_store s
        LEFT JOIN leasehold_lease l ON l.bucket = f.bucket AND l.key = ?
       WHERE f.bucket = ?
      """;

  private static final int COUNTER_BITS = 40;

  private static final Set<Operation> HARMLESS =
      Set.of(
          Operation.RENEW,
          Operation.RENEW_WAITING,
          Operation.CHECK,
          Operation.LATE_CHECK,
          Operation.CHANGE,
          Operation.FRAGMENT);

  private static final Set<Operation> PURGING =
      Set.of(Operation.PURGE, Operation.TIDY, Operation.COME_AND_GO, Operation.COME_AND_TIDY);

  private final OrderedStore store;
  private final Start start;
  private final List<Operation> operations;
  private final OrderJournal journal;

  private final List<Participant> parts = new ArrayList<>();
  private LeaseKey key = new LeaseKey("order/none");
  private LeaseKey secondKey = key;
  private Token token = new Token(1);
  private long began;
  private EventLog events = new EventLog();
  private volatile int incarnation;
  private volatile Set<Long> beforeAdvance = Set.of();

  LeaseScenario(OrderedStore store, Start start, List<Operation> operations) {
    this.store = store;
    this.start = start;
    this.operations = List.copyOf(operations);
    this.journal = new OrderJournal(store.observer());
  }

  /** Finds it by its name, as in {@code acquire+delete@free}. */
  static LeaseScenario named(String name, OrderedStore store) {
    List<String> parts = List.of(name.split("@", -1));
    List<Operation> operations =
        Arrays.stream(parts.get(0).split("\\+", -1))
            .map(word -> Operation.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
            .toList();
    return new LeaseScenario(
        store, Start.valueOf(parts.get(1).toUpperCase(Locale.ROOT)), operations);
  }

  OrderedStore store() {
    return store;
  }

  LeaseKey key() {
    return key;
  }

  LeaseKey secondKey() {
    return secondKey;
  }

  Token token() {
    return token;
  }

  long lastCommitted() {
    return journal.last();
  }

  /** The numbers of all entries of the log that are committed. */
  Set<Long> committed() {
    try {
      return Stream.concat(log(key).stream(), log(secondKey).stream())
          .map(LogEntry::sequence)
          .collect(Collectors.toSet());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void advancedTo(int newIncarnation, Set<Long> committedBefore) {
    incarnation = newIncarnation;
    beforeAdvance = committedBefore;
  }

  /** Once an advance is committed, no grant of an earlier incarnation is committed. */
  private void requireOfTheirTime(List<LogEntry> log) {
    for (LogEntry entry : log) {
      if (entry.effect() instanceof LogEntry.Issuing issuing
          && issuing.issued().incarnation() < incarnation
          && !beforeAdvance.contains(entry.sequence())) {
        throw new AssertionError(entry + " after the advance to " + incarnation);
      }
    }
  }

  @Override
  public List<Actor> begin() throws SQLException {
    int number = store.newNumber();
    key = new LeaseKey("order/" + number);
    secondKey = before(key);
    events = new EventLog();
    parts.clear();
    began = journal.last();
    start.prepare(store, key);
    State state = state();
    incarnation = 0;
    token = state.row() > 0 ? new Token(state.row()) : state.next();
    AtomicLong clock = new AtomicLong();
    List<Actor> actors = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      OrderedSession session = store.session(i);
      session.gate().reset();
      HistoryRecorder recorder =
          new HistoryRecorder(String.valueOf(session.name()), clock::incrementAndGet, events);
      Participant participant = new Participant(this, session, recorder);
      parts.add(participant);
      Operation operation = operations.get(i);
      actors.add(new Actor(session.name(), () -> operation.run(participant)));
    }
    return actors;
  }

  /** Another key, inserted first by a batch of both. */
  private static LeaseKey before(LeaseKey key) {
    return IntStream.iterate(0, i -> i + 1)
        .mapToObj(i -> new LeaseKey(key.text() + "/second/" + i))
        .filter(other -> Buckets.of(other) < Math.max(1, Buckets.of(key)))
        .findFirst()
        .orElseThrow();
  }

  /**
   * The state of the database.
   *
   * @param row the key's highest token, 0 without a row
   */
  private record State(long floor, int incarnation, long row) {
    /** The first token of a key without a row. */
    Token next() {
      Token above = new Token(Math.max(floor, 1));
      return new Token(
          ((long) Math.max(floor == 0 ? 0 : above.incarnation(), incarnation) << COUNTER_BITS)
              | ((floor == 0 ? 0 : above.counter()) + 1));
    }
  }

  private State state() throws SQLException {
    try (PreparedStatement statement = store.observer().prepareStatement(STATE)) {
      statement.setString(1, key.text());
      statement.setInt(2, Buckets.of(key));
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new AssertionError("no floor");
        }
        return new State(row.getLong(1), row.getInt(2), row.getLong(3));
      }
    }
  }

  @Override
  public void judge() throws SQLException {
    List<LogEntry> log = log(key);
    List<Event> all = new ArrayList<>(events.events());
    all.addAll(log);
    all.addAll(log(secondKey));
    CheckResult verdict = HistoryChecks.check(History.of(all));
    boolean wrong =
        verdict.violations().stream().anyMatch(v -> v.invariant() != Invariant.I1 || judgesI1());
    if (wrong) {
      throw new AssertionError(verdict.toString());
    }
    requireThatTokensStay(log);
    requireThatOnlyOldIsPurged();
    requireThatNothingIsCutShort(log);
    requireOfTheirTime(log);
    requireOfTheirTime(log(secondKey));
    parts.forEach(LeaseScenario::requireKnownOutcomes);
    requireOneWinner();
    requireThatHoldersGoOn();
  }

  private List<LogEntry> log(LeaseKey ofKey) throws SQLException {
    Map<Integer, RequestId> revokers = new HashMap<>();
    parts.forEach(
        participant ->
            revokers.put(participant.session().gate().backend(), participant.requestId()));
    return journal.entries(ofKey, began, revokers).stream()
        .map(entry -> asAged(entry, ofKey))
        .collect(Collectors.toList());
  }

  /** The start of the scene defines the age of a grant from before it. */
  private LogEntry asAged(LogEntry entry, LeaseKey ofKey) {
    boolean old =
        start == Start.EXPIRED
            && ofKey.equals(key)
            && entry.effect() instanceof LogEntry.Granted granted
            && granted.token().equals(token)
            && granted.by().requestId().text().startsWith("start-");
    if (!old) {
      return entry;
    }
    LogEntry.Granted granted = (LogEntry.Granted) entry.effect();
    long byMillis = Start.EXPIRED_MILLIS;
    return new LogEntry(
        entry.key(),
        entry.sequence(),
        entry.storeMillis() - byMillis,
        new LogEntry.Granted(granted.token(), granted.by(), granted.expiresAtMillis() - byMillis));
  }

  /** A user that deletes the row of a live grant allows a second holder. */
  private boolean judgesI1() {
    return start != Start.HELD || !operations.contains(Operation.DELETE);
  }

  /** All issued tokens stay below the next one. */
  private void requireThatTokensStay(List<LogEntry> log) throws SQLException {
    State state = state();
    long reached = state.row() > 0 ? state.row() : state.floor();
    for (LogEntry entry : log) {
      if (entry.effect() instanceof LogEntry.Issuing issuing
          && issuing.issued().value() > reached) {
        throw new AssertionError(
            "token " + issuing.issued() + " was issued, and the key stands at " + reached);
      }
    }
  }

  /** Only a user who deletes by hand removes a record that is held, closed or still remembered. */
  private void requireThatOnlyOldIsPurged() throws SQLException {
    for (int i = 0; i < parts.size(); i++) {
      int backend = parts.get(i).session().gate().backend();
      if (PURGING.contains(operations.get(i)) && journal.deletedYoung(key, began, backend) > 0) {
        throw new AssertionError(operations.get(i) + " removed a record that is still needed");
      }
    }
  }

  /** A grant expires at its announced time or later. */
  private static void requireThatNothingIsCutShort(List<LogEntry> log) {
    Map<Token, Long> expiries = new HashMap<>();
    for (LogEntry entry : log) {
      switch (entry.effect()) {
        case LogEntry.Granted granted -> expiries.put(granted.token(), granted.expiresAtMillis());
        case LogEntry.Renewed renewed -> {
          Long before = expiries.put(renewed.token(), renewed.expiresAtMillis());
          require(before == null || renewed.expiresAtMillis() >= before, entry);
        }
        case LogEntry.Lapsed lapsed -> {
          Long expiry = expiries.get(lapsed.token());
          require(expiry == null || entry.storeMillis() >= expiry, entry);
        }
        default -> {}
      }
    }
  }

  private static void require(boolean holds, LogEntry entry) {
    if (!holds) {
      throw new AssertionError("a grant was cut short: " + entry);
    }
  }

  /** No connection breaks and no row is garbled: only what the order has ended may fail. */
  private static void requireKnownOutcomes(Participant participant) {
    for (Outcome outcome : participant.outcomes()) {
      if (outcome instanceof Outcome.Failed failed
          && !failed.detail().contains("locked by another")
          && !failed.detail().contains("ended by the order")) {
        throw new AssertionError(participant.name() + " was told " + failed);
      }
    }
  }

  /** If several sessions only acquire a free key, exactly one of them is granted it. */
  private void requireOneWinner() {
    boolean race =
        start != Start.HELD
            && operations.stream()
                .allMatch(o -> o == Operation.ACQUIRE || o == Operation.ACQUIRE_TWO);
    long winners =
        parts.stream()
            .filter(
                participant ->
                    participant.outcomes().stream()
                        .limit(1)
                        .anyMatch(Outcome.Granted.class::isInstance))
            .count();
    if (race && winners != 1) {
      throw new AssertionError(
          winners + " were granted it: " + parts.stream().map(Participant::outcomes).toList());
    }
  }

  /** If no operation ends the grant, its holder's renewals and checks succeed in every order. */
  private void requireThatHoldersGoOn() {
    boolean undisturbed =
        start == Start.HELD
            && operations.stream().allMatch(operation -> HARMLESS.contains(operation));
    for (int i = 0; i < parts.size() && undisturbed; i++) {
      Operation operation = operations.get(i);
      Participant participant = parts.get(i);
      boolean checks = operation != Operation.RENEW && operation != Operation.RENEW_WAITING;
      boolean renewed = participant.outcomes().stream().allMatch(Outcome.Renewed.class::isInstance);
      if (checks ? participant.changes() == 0 : !renewed) {
        throw new AssertionError(operation + " was refused: " + participant.outcomes());
      }
    }
  }

  @Override
  public String toString() {
    return operations.stream().map(Operation::toString).collect(Collectors.joining("+"))
        + "@"
        + start;
  }
}
