package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Sessions;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One batch on its way through a server. It runs in rounds of at most one command a key, and in
 * each array statements settle what is usual, the rules settle the rest of what no other
 * transaction has locked, together, and what is left is decided alone. Nothing waits for a locked
 * row for longer than a moment: an acquire is told who holds the key, and any other command is left
 * open, with what follows it on its key, until the batch is advanced again or ended.
 */
public final class ServerBatch {
  private static final System.Logger LOG = System.getLogger(ServerBatch.class.getName());

  /** How often a batch goes through the array statements. */
  private static final int ROUNDS = 3;

  static final String LOCKED = "its row is locked by another transaction";

  private final List<Command> batch;
  private final Limits limits;
  private final Attempts attempts;
  private final LockedKeys lockedKeys;
  private final Map<Integer, Settled> settled = new TreeMap<>();

  /** Rows that were found locked: what follows on these keys has to wait too. */
  private final Set<LeaseKey> blocked = new HashSet<>();

  /** Once is enough for a batch: whoever shares it with a locked row must not wait for all. */
  private boolean waitedInVain;

  public ServerBatch(List<Command> batch, Limits limits, Attempts attempts, LockedKeys lockedKeys) {
    this.batch = batch;
    this.limits = limits;
    this.attempts = attempts;
    this.lockedKeys = lockedKeys;
  }

  /** The same on other connections; nothing of it is settled yet. */
  ServerBatch on(Sessions others) {
    return new ServerBatch(batch, limits, attempts.on(others), lockedKeys);
  }

  long ageNanos() {
    return attempts.ageNanos();
  }

  /**
   * Settles what can be settled without waiting for others.
   *
   * @param stillLocked what need not be tried
   * @return whether everything is settled
   */
  public boolean advance(Set<LeaseKey> stillLocked) {
    blocked.clear();
    blocked.addAll(stillLocked);
    waitedInVain = false;
    List<List<Integer>> rounds = rounds();
    for (List<Integer> round : rounds.subList(0, Math.min(ROUNDS, rounds.size()))) {
      settleOrFail(round, this::settle);
    }
    // Many commands on one key: the rest of them in one transaction, unless they are refused
    // anyway.
    for (List<Integer> ofOneKey : left()) {
      settleOrFail(ofOneKey, this::refuseFirst);
      settleOrFail(open(ofOneKey, command -> true), this::inOneTransaction);
    }
    return settled.size() == batch.size();
  }

  boolean hasAnswers() {
    return !settled.isEmpty();
  }

  /** The keys of what is still open. */
  Set<LeaseKey> waitingFor() {
    return IntStream.range(0, batch.size())
        .filter(i -> !settled.containsKey(i))
        .mapToObj(i -> batch.get(i).key())
        .collect(Collectors.toSet());
  }

  /** What came of each, in order. What is still open was not carried out: its row is locked. */
  public List<Settled> end() {
    for (int i = 0; i < batch.size(); i++) {
      if (!settled.containsKey(i)) {
        Optional<String> lockedBy = lockedKeys.sawLocked(batch.get(i).key());
        settled.put(i, failed(lockedBy.orElse(LOCKED)));
      }
    }
    return List.copyOf(settled.values());
  }

  /** For a renewal that is alone in its batch: waits for a moment, in the database's own queue. */
  public boolean waitForRenewal() {
    settleOrFail(List.of(0), numbers -> alone(0));
    return settled.size() == batch.size();
  }

  private interface Step {
    void settle(List<Integer> numbers) throws SQLException;
  }

  private void settleOrFail(List<Integer> numbers, Step step) {
    List<Integer> free =
        numbers.stream().filter(i -> !blocked.contains(batch.get(i).key())).toList();
    if (free.isEmpty()) {
      return;
    }
    try {
      step.settle(free);
    } catch (SQLException e) {
      for (int i : open(free, command -> true)) {
        keep(i, failed(e));
      }
    } catch (RuntimeException e) {
      // A row that cannot be read; it must not take along what is settled already.
      LOG.log(Level.WARNING, "a batch could not be settled", e);
      for (int i : open(free, command -> true)) {
        keep(i, Settled.failed(Certainty.UNKNOWN, e.toString()));
      }
    }
  }

  private List<List<Integer>> rounds() {
    List<List<Integer>> rounds = new ArrayList<>();
    Map<LeaseKey, Integer> seen = new HashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      if (settled.containsKey(i)) {
        continue;
      }
      int round = seen.merge(batch.get(i).key(), 1, Integer::sum) - 1;
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(i);
    }
    return rounds;
  }

  private Collection<List<Integer>> left() {
    Map<LeaseKey, List<Integer>> byKey = new LinkedHashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      if (!settled.containsKey(i)) {
        byKey.computeIfAbsent(batch.get(i).key(), key -> new ArrayList<>()).add(i);
      }
    }
    return byKey.values();
  }

  /** One after the other; if one of them is refused, each in a transaction of its own. */
  private void inOneTransaction(List<Integer> numbers) throws SQLException {
    if (lockedKeys.isStuck(batch.get(numbers.getFirst()).key())) {
      // So it was a moment ago, for the first of them.
      settleLocked(numbers);
      return;
    }
    try {
      keep(
          numbers,
          attempts.run(
              session ->
                  session.inBriefTransaction(
                      s ->
                          new RuledBatch(s, limits)
                              .decideInOrder(commands(numbers, Command.class)))));
    } catch (SQLException e) {
      switch (Failures.of(e)) {
        case LOCKED -> settleLocked(numbers);
        case REFUSED -> {
          for (int i : numbers) {
            settleOrFail(List.of(i), one -> alone(i));
          }
        }
        default -> throw e;
      }
    }
  }

  private Settled failed(SQLException why) {
    return failed(Failures.text(why));
  }

  /** After a connection has broken, an earlier copy of the command may have taken effect. */
  private Settled failed(String why) {
    return Settled.failed(attempts.wasCutOff() ? Certainty.UNKNOWN : Certainty.NOT_APPLIED, why);
  }

  private void settle(List<Integer> round) throws SQLException {
    settleRenewals(round);
    moveUsually(open(round, Command.Release.class::isInstance), open(round, this::isUsualAcquire));
    refuseUnlocked(open(round, Command.Acquire.class::isInstance));
    // Alone, its own transaction does all of that, and waits; unless that was in vain before.
    if (batch.size() > 1 || lockedKeys.isStuck(batch.getFirst().key())) {
      boolean unused =
          byRules(open(round, this::mayBeFree), (rules, c) -> rules.decideFree(c, "lock-leases"));
      boolean unusedToo = byRules(open(round, this::mayBeFree), RuledBatch::decideNew);
    }
    for (int i : open(round, this::mayBeFree)) {
      if (!waitedInVain && !lockedKeys.isStuck(batch.get(i).key())) {
        alone(i);
      }
    }
    for (int i : open(round, Command.Purge.class::isInstance)) {
      alone(i);
      settled.computeIfAbsent(i, unused -> failed(LOCKED));
    }
    settleLocked(open(round, this::mayBeFree));
  }

  /** A purge needs the floor of a whole bucket; a renewal was tried, and waits elsewhere. */
  private boolean mayBeFree(Command command) {
    return !(command instanceof Command.Purge)
        && !(command instanceof Command.Renew)
        && !blocked.contains(command.key());
  }

  /** For what is held, closed or changed nothing is locked and nothing is written. */
  private void refuseUnlocked(List<Integer> acquires) throws SQLException {
    if (!acquires.isEmpty()) {
      List<Command> commands = commands(acquires, Command.class);
      keep(acquires, reading(rules -> rules.refuse(commands)).orElse(Map.of()));
    }
  }

  /** The same for the first of many on one key, as far as nothing before them may change it. */
  private void refuseFirst(List<Integer> ofOneKey) throws SQLException {
    List<Command> commands = commands(ofOneKey, Command.class);
    keep(ofOneKey, reading(rules -> rules.refuseFirst(commands)).orElse(Map.of()));
  }

  /** Rows that were locked when they were tried, and that were waited for long enough. */
  private void settleLocked(List<Integer> locked) throws SQLException {
    List<Integer> acquires =
        locked.stream().filter(i -> batch.get(i) instanceof Command.Acquire).toList();
    Map<LeaseKey, Grant> grants =
        acquires.isEmpty()
            ? Map.of()
            : reading(rules -> rules.grants(commands(acquires, Command.class))).orElse(Map.of());
    for (int i : locked) {
      LeaseKey key = batch.get(i).key();
      Grant grant = batch.get(i) instanceof Command.Acquire ? grants.get(key) : null;
      Optional<String> lockedBy = lockedKeys.sawLocked(key);
      if (attempts.wasCutOff()) {
        // It may be the first copy of this very command that has it locked.
        settled.put(i, Settled.failed(Certainty.UNKNOWN, LOCKED));
      } else if (grant != null && !blocked.contains(key)) {
        settled.put(i, Settled.of(held(grant, lockedBy)));
      } else {
        blocked.add(key);
      }
    }
  }

  /** Another transaction is at work on it: the holder is named, and the caller may ask again. */
  private static Outcome held(Grant grant, Optional<String> lockedBy) {
    return new Outcome.Held(
        grant.terms().info().holder(), grant.instanceId(), grant.token(), 0, lockedBy);
  }

  /**
   * Renewals wait for no other: one whose row is locked is answered so, and comes again alone. One
   * that is alone is left open.
   */
  private void settleRenewals(List<Integer> round) throws SQLException {
    renewUsually(open(round, c -> c instanceof Command.Renew && ArrayStatements.takes(c, limits)));
    Rules ofFree = (rules, c) -> rules.decideFree(c, "lock-renewals");
    List<Integer> unusual = open(round, Command.Renew.class::isInstance);
    if (!byRules(unusual, ofFree)) {
      for (int i : unusual) {
        boolean unused = byRules(List.of(i), ofFree);
      }
    }
    boolean unused =
        byRules(open(round, Command.Renew.class::isInstance), RuledBatch::decideRenewalsOfNothing);
    for (int i : open(round, Command.Renew.class::isInstance)) {
      if (batch.size() == 1) {
        blocked.add(batch.get(i).key());
      } else {
        settled.put(i, failed(LOCKED));
      }
    }
  }

  private List<Integer> open(List<Integer> round, Predicate<Command> which) {
    return round.stream()
        .filter(i -> !settled.containsKey(i))
        .filter(i -> which.test(batch.get(i)))
        .toList();
  }

  private <C extends Command> List<C> commands(List<Integer> numbers, Class<C> type) {
    return numbers.stream().map(batch::get).map(type::cast).toList();
  }

  /** By halves where one row is to blame: one by one, thousands of others would be late. */
  private void renewUsually(List<Integer> renewals) throws SQLException {
    if (renewals.isEmpty()) {
      return;
    }
    List<Command.Renew> commands = commands(renewals, Command.Renew.class);
    Optional<Map<Integer, Settled>> renewed = statements(on -> on.renew(commands));
    keep(renewals, renewed.orElse(Map.of()));
    if (renewed.isEmpty() && renewals.size() > 1) {
      int half = renewals.size() / 2;
      renewUsually(renewals.subList(0, half));
      renewUsually(renewals.subList(half, renewals.size()));
    }
  }

  private boolean isUsualAcquire(Command command) {
    return command instanceof Command.Acquire acquire
        && acquire.expected().isEmpty()
        && ArrayStatements.takes(acquire, limits);
  }

  private void moveUsually(List<Integer> releases, List<Integer> acquires) throws SQLException {
    if (releases.isEmpty() && acquires.isEmpty()) {
      return;
    }
    List<Command.Release> given = commands(releases, Command.Release.class);
    List<Command.Acquire> wanted = commands(acquires, Command.Acquire.class);
    Optional<ArrayStatements.Moved> moved = statements(on -> on.move(given, wanted));
    if (moved.isEmpty()) {
      return;
    }
    keep(releases, moved.get().released());
    keep(acquires, moved.get().acquired());
    List<Integer> unseen =
        IntStream.range(0, acquires.size())
            .filter(n -> !moved.get().seen().contains(n))
            .mapToObj(acquires::get)
            .toList();
    if (!unseen.isEmpty()) {
      List<Command.Acquire> news = commands(unseen, Command.Acquire.class);
      keep(unseen, acquireNew(news));
    }
  }

  private void keep(List<Integer> numbers, Map<Integer, Settled> found) {
    found.forEach((n, outcome) -> keep(numbers.get(n), outcome));
  }

  /**
   * What was sent on a connection that broke may still be on its way to the server: an acquire that
   * was not granted yet may still be.
   */
  private void keep(int number, Settled found) {
    boolean mayStillBeGranted =
        attempts.wasCutOff()
            && batch.get(number) instanceof Command.Acquire
            && (found.outcome() instanceof Outcome.Held
                || found.outcome() instanceof Outcome.Closed
                || found.outcome() instanceof Outcome.Changed);
    lockedKeys.sawFree(batch.get(number).key());
    settled.put(
        number,
        mayStillBeGranted
            ? Settled.failed(
                Certainty.UNKNOWN, "the connection broke, and the answer since was " + found)
            : found);
  }

  /** It may have to wait for whoever inserts the same row, though not for long. */
  private Map<Integer, Settled> acquireNew(List<Command.Acquire> news) throws SQLException {
    try {
      return attempts.run(
          session -> session.inBriefTransaction(s -> new ArrayStatements(s).acquireNew(news)));
    } catch (SQLException e) {
      if (Failures.of(e) != Failures.REFUSED && Failures.of(e) != Failures.LOCKED) {
        throw e;
      }
      return Map.of();
    }
  }

  private interface Reading<T> {
    T of(RuledBatch rules) throws SQLException;
  }

  /** Nothing, when a row could not be read: each is then tried alone. */
  private <T> Optional<T> reading(Reading<T> reading) throws SQLException {
    try {
      return Optional.of(
          attempts.run(
              session -> {
                session.autoCommit(true);
                return reading.of(new RuledBatch(session, limits));
              }));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a row of a batch could not be read", e);
      return Optional.empty();
    } catch (SQLException e) {
      if (Failures.of(e) == Failures.REFUSED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private interface Use<T> {
    T of(ArrayStatements statements) throws SQLException;
  }

  /** Nothing, when the statement failed: one of its commands may be to blame, so each alone. */
  private <T> Optional<T> statements(Use<T> use) throws SQLException {
    try {
      return Optional.of(
          attempts.run(
              session -> {
                session.autoCommit(true);
                return use.of(new ArrayStatements(session));
              }));
    } catch (RuntimeException e) {
      // It is committed, but one of the rows that it told of cannot be read.
      LOG.log(Level.WARNING, "the answer to a batch could not be read", e);
      attempts.answerWasLost();
      return Optional.empty();
    } catch (SQLException e) {
      if (Failures.of(e) == Failures.REFUSED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private interface Rules {
    Map<Integer, Settled> decide(RuledBatch rules, List<Command> commands) throws SQLException;
  }

  /**
   * In one transaction, what can be decided without waiting for others. False if that failed, and
   * one of them may be to blame: each should be tried alone, so that only its own command fails.
   */
  private boolean byRules(List<Integer> open, Rules rules) throws SQLException {
    if (open.isEmpty()) {
      return true;
    }
    List<Command> commands = commands(open, Command.class);
    try {
      keep(
          open,
          attempts.run(
              session ->
                  session.inBriefTransaction(
                      s -> rules.decide(new RuledBatch(s, limits), commands))));
      return true;
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a row of a batch could not be decided on", e);
      return false;
    } catch (SQLException e) {
      return switch (Failures.of(e)) {
        case REFUSED -> false;
        case LOCKED -> true;
        default -> throw e;
      };
    }
  }

  /** Waits for a moment; what is locked for longer stays open. */
  private void alone(int number) throws SQLException {
    Command command = batch.get(number);
    try {
      keep(
          number,
          attempts.run(
              session ->
                  session.inBriefTransaction(s -> new Ruling(s, limits).decideAlone(command))));
    } catch (RuntimeException e) {
      keep(number, failed(e.toString()));
    } catch (SQLException e) {
      switch (Failures.of(e)) {
        case LOCKED -> waitedInVain = true;
        case REFUSED, RESTART -> keep(number, failed(e));
        case UNREACHABLE, CUT_OFF -> throw e;
      }
    }
  }
}
