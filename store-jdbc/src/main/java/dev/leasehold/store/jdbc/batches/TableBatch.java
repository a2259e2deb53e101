package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.StoreConnection;
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
 * One batch of a table's commands for a server. It runs in rounds of at most one command for each
 * place. In each round, the block's array statements settle the usual commands, its rules settle
 * together all others whose rows are free, and the remaining commands are decided one by one. No
 * thread waits for a locked row for longer than a moment: a command on such a row is left open,
 * together with the later commands on its place, until the batch is advanced again or ended.
 *
 * <p>A block defines in {@link #settle} the order of its steps, and how its rules decide commands.
 * This class decides which answers still hold after a connection has broken.
 */
public abstract class TableBatch<K, C, S> {
  private static final System.Logger LOG = System.getLogger(TableBatch.class.getName());

  /** How often a batch uses the array statements. */
  private static final int ROUNDS = 3;

  protected final List<C> batch;
  private final Table<K, C, S> table;
  private final Attempts attempts;
  private final LockedPlaces<K> lockedPlaces;
  private final Map<Integer, S> settled = new TreeMap<>();

  /** Places whose rows were found locked: later commands on them must wait too. */
  private final Set<K> blocked = new HashSet<>();

  /** A batch waits only once for rows that stay locked, so that its other commands are not late. */
  private boolean waitedInVain;

  protected TableBatch(
      Table<K, C, S> table, List<C> batch, Attempts attempts, LockedPlaces<K> lockedPlaces) {
    this.table = table;
    this.batch = batch;
    this.attempts = attempts;
    this.lockedPlaces = lockedPlaces;
  }

  /** Settles what it can of a round. Each command of a round has a place of its own. */
  protected abstract void settle(List<Integer> round) throws SQLException;

  /** Settles the first of many commands on one place, if that needs no lock. */
  protected void settleFirst(List<Integer> ofOnePlace) throws SQLException {}

  /** Decides by the rules in the open transaction; waits for rows. */
  protected abstract List<S> decideInOrder(StoreConnection connection, List<C> commands)
      throws SQLException;

  /** Settles commands whose rows are still locked after a wait. */
  protected void settleLocked(List<Integer> locked) throws SQLException {
    locked.forEach(this::leaveOpen);
  }

  /** Runs the work in a transaction that waits for a lock only for a moment. */
  protected <T> T inBriefTransaction(StoreConnection connection, ConnectionWork<T> work)
      throws SQLException {
    return connection.inBriefTransaction(work);
  }

  /** The same batch on connections of another source; nothing of it is settled yet. */
  final TableBatch<K, C, S> on(ConnectionSource others) {
    return table.begin(batch, attempts.on(others), lockedPlaces);
  }

  final long ageNanos() {
    return attempts.ageNanos();
  }

  /**
   * Settles what can be settled without waiting for others.
   *
   * @param stillLocked places that need not be tried
   * @return whether everything is settled
   */
  public final boolean advance(Set<K> stillLocked) {
    blocked.clear();
    blocked.addAll(stillLocked);
    waitedInVain = false;
    List<List<Integer>> rounds = rounds(all());
    for (List<Integer> round : rounds.subList(0, Math.min(ROUNDS, rounds.size()))) {
      settleOrFail(round, this::settle);
    }
    // The remaining commands on a place with many run in one transaction, except those that are
    // refused without a lock.
    for (List<Integer> ofOnePlace : left()) {
      settleOrFail(ofOnePlace, this::settleFirst);
      settleOrFail(open(ofOnePlace, command -> true), this::inOneTransaction);
    }
    return settled.size() == batch.size();
  }

  final boolean hasAnswers() {
    return !settled.isEmpty();
  }

  /** The places of the open commands. */
  final Set<K> waitingFor() {
    return all().stream().map(this::place).collect(Collectors.toSet());
  }

  /** The results in order. An open command was not carried out, because its row is locked. */
  public final List<S> end() {
    for (int i : all()) {
      settled.put(i, failed(lockedPlaces.sawLocked(place(i)).orElse(LockedPlaces.LOCKED)));
    }
    return List.copyOf(settled.values());
  }

  /** For a single command: waits for a moment, in the database's own queue. */
  public final boolean waitAlone() {
    settleOrFail(List.of(0), numbers -> alone(0));
    return settled.size() == batch.size();
  }

  private interface Step {
    void settle(List<Integer> numbers) throws SQLException;
  }

  private void settleOrFail(List<Integer> numbers, Step step) {
    List<Integer> free = numbers.stream().filter(i -> !isBlocked(i)).toList();
    if (free.isEmpty()) {
      return;
    }
    try {
      step.settle(free);
    } catch (SQLException e) {
      open(free, command -> true).forEach(i -> fail(i, Failures.text(e)));
    } catch (RuntimeException e) {
      // A row cannot be read. The commands that are settled already keep their answers.
      LOG.log(Level.WARNING, "a batch could not be settled", e);
      open(free, command -> true)
          .forEach(i -> keep(i, table.failed(Certainty.UNKNOWN, e.toString())));
    }
  }

  /** The open commands, in the order of the batch. */
  private List<Integer> all() {
    return IntStream.range(0, batch.size()).filter(i -> !settled.containsKey(i)).boxed().toList();
  }

  /** Splits commands into rounds; those of one round are tried together. */
  protected List<List<Integer>> rounds(List<Integer> open) {
    List<List<Integer>> rounds = new ArrayList<>();
    Map<K, Integer> seen = new HashMap<>();
    for (int i : open) {
      int round = seen.merge(place(i), 1, Integer::sum) - 1;
      if (round == rounds.size()) {
        rounds.add(new ArrayList<>());
      }
      rounds.get(round).add(i);
    }
    return rounds;
  }

  private Collection<List<Integer>> left() {
    Map<K, List<Integer>> byPlace = new LinkedHashMap<>();
    all().forEach(i -> byPlace.computeIfAbsent(place(i), place -> new ArrayList<>()).add(i));
    return byPlace.values();
  }

  /** Decides commands in order. If one of them fails, each gets a transaction of its own. */
  private void inOneTransaction(List<Integer> numbers) throws SQLException {
    if (isStuck(numbers.getFirst())) {
      // The row of the first command was locked a moment ago.
      settleLocked(numbers);
      return;
    }
    try {
      List<C> commands = commands(numbers);
      keep(numbers, inOrder(briefly(connection -> decideInOrder(connection, commands))));
    } catch (SQLException e) {
      switch (Failures.of(e)) {
        case LOCKED -> settleLocked(numbers);
        case REFUSED -> numbers.forEach(i -> settleOrFail(List.of(i), this::aloneInOrder));
        default -> throw e;
      }
    }
  }

  /** Later commands on the place must not overtake one that is left open. */
  private void aloneInOrder(List<Integer> one) throws SQLException {
    alone(one.getFirst());
    settleLocked(open(one, command -> true));
  }

  protected final K place(int number) {
    return table.place(batch.get(number));
  }

  protected final List<Integer> open(List<Integer> round, Predicate<? super C> which) {
    return round.stream()
        .filter(i -> !settled.containsKey(i))
        .filter(i -> which.test(batch.get(i)))
        .toList();
  }

  protected final List<C> commands(List<Integer> numbers) {
    return numbers.stream().map(batch::get).toList();
  }

  protected final <T extends C> List<T> commands(List<Integer> numbers, Class<T> type) {
    return numbers.stream().map(batch::get).map(type::cast).toList();
  }

  /** Whether the row was found locked in this advance, or is still locked from the previous one. */
  protected final boolean isBlocked(int number) {
    return blocked.contains(place(number));
  }

  /** Whether the row was locked when any batch of this process last tried it. */
  protected final boolean isStuck(int number) {
    return lockedPlaces.isStuck(place(number));
  }

  /** Whether it is useful to wait a moment for the row. */
  protected final boolean isWorthWaitingFor(int number) {
    return !waitedInVain && !isStuck(number);
  }

  /** The transaction that locks the row, once that is known. */
  protected final Optional<String> sawLocked(int number) {
    return lockedPlaces.sawLocked(place(number));
  }

  /** Leaves the command open until its row is unlocked, and with it later commands on its place. */
  protected final void leaveOpen(int number) {
    Optional<String> unused = sawLocked(number);
    if (wasCutOff()) {
      // The lock may be held by the first copy of this very command.
      settled.put(number, table.failed(Certainty.UNKNOWN, LockedPlaces.LOCKED));
    } else {
      block(number);
    }
  }

  /** The same, for a row that was not tried yet. */
  protected final void block(int number) {
    blocked.add(place(number));
  }

  /** Whether a command may have taken effect without an answer to its caller. */
  protected final boolean wasCutOff() {
    return attempts.wasCutOff();
  }

  /** After a connection has broken, an earlier copy of the command may have taken effect. */
  protected final S failed(String why) {
    return table.failed(attempts.wasCutOff() ? Certainty.UNKNOWN : Certainty.NOT_APPLIED, why);
  }

  /** Sets the answer of a command whose row is locked. */
  protected final void answer(int number, S found) {
    settled.put(number, found);
  }

  protected final void answerLocked(int number) {
    settled.putIfAbsent(number, failed(LockedPlaces.LOCKED));
  }

  protected final void keep(List<Integer> numbers, Map<Integer, S> found) {
    found.forEach((n, one) -> keep(numbers.get(n), one));
  }

  /**
   * A command sent on a connection that broke may still reach the server. An answer that this
   * earlier copy could make untrue is replaced by a failure.
   */
  protected final void keep(int number, S found) {
    boolean isFinal = !attempts.wasCutOff() || table.isFinal(batch.get(number), found);
    lockedPlaces.sawFree(place(number));
    settled.put(
        number,
        isFinal ? found : failed("the connection broke, and the answer since was " + found));
  }

  protected static <S> Map<Integer, S> inOrder(List<S> found) {
    Map<Integer, S> byNumber = new TreeMap<>();
    found.forEach(one -> byNumber.put(byNumber.size(), one));
    return byNumber;
  }

  private void fail(int number, String why) {
    lockedPlaces.sawFree(place(number));
    settled.put(number, failed(why));
  }

  /** Runs the work in a transaction that waits for a lock only for a moment. */
  protected final <T> T briefly(ConnectionWork<T> work) throws SQLException {
    return attempts.run(connection -> inBriefTransaction(connection, work));
  }

  /** Empty if a row could not be read: the caller then tries each command alone. */
  protected final <T> Optional<T> reading(ConnectionWork<T> work) throws SQLException {
    try {
      return Optional.of(attempts.run(connection -> committed(connection, work)));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a row of a batch could not be read", e);
      return Optional.empty();
    } catch (SQLException e) {
      return nothingIfOfOne(e);
    }
  }

  /** Empty if the statement failed: one of its commands may be the cause. */
  protected final <T> Optional<T> statement(ConnectionWork<T> work) throws SQLException {
    try {
      return Optional.of(attempts.run(connection -> committed(connection, work)));
    } catch (RuntimeException e) {
      // The statement is committed, but a row of its answer cannot be read.
      LOG.log(Level.WARNING, "the answer to a batch could not be read", e);
      attempts.answerWasLost();
      return Optional.empty();
    } catch (SQLException e) {
      return nothingIfOfOne(e);
    }
  }

  private static <T> T committed(StoreConnection connection, ConnectionWork<T> work)
      throws SQLException {
    connection.autoCommit(true);
    return work.run(connection);
  }

  /** Empty if one command, or one locked row, may have made the whole statement fail. */
  protected static <T> Optional<T> nothingIfOfOne(SQLException e) throws SQLException {
    if (Failures.of(e) != Failures.REFUSED && Failures.of(e) != Failures.LOCKED) {
      throw e;
    }
    return Optional.empty();
  }

  /** Decides commands on several places; answers by number, without those it could not decide. */
  protected interface Rules<C, S> {
    Map<Integer, S> decide(StoreConnection connection, List<C> commands) throws SQLException;
  }

  /**
   * Decides, in one transaction, what needs no waiting for others. Returns false if that failed and
   * one command may be the cause: then the caller tries each alone, so that only its own failure
   * counts against it.
   */
  protected final boolean byRules(List<Integer> open, Rules<C, S> rules) throws SQLException {
    if (open.isEmpty()) {
      return true;
    }
    List<C> commands = commands(open);
    try {
      keep(open, briefly(connection -> rules.decide(connection, commands)));
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

  /**
   * Decides together those commands whose rules wait for every row, without those whose rows are
   * locked, and without later commands on the places of those that were left open. If one command
   * makes the transaction fail, it is found by halves: one by one, the others would be late.
   */
  protected final void byRulesInHalves(List<Integer> all) throws SQLException {
    List<Integer> numbers = all.stream().filter(i -> !isBlocked(i)).toList();
    if (numbers.isEmpty()) {
      return;
    }
    List<C> commands = commands(numbers);
    try {
      keep(numbers, inOrder(briefly(connection -> decideInOrder(connection, commands))));
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "a row of a batch could not be decided on", e);
      halves(numbers, e.toString());
    } catch (SQLException e) {
      Optional<Boolean> unused = nothingIfOfOne(e);
      List<Integer> free = numbers;
      if (Failures.of(e) == Failures.LOCKED) {
        Set<K> locked = locked(numbers);
        settleLocked(numbers.stream().filter(i -> locked.contains(place(i))).toList());
        free = numbers.stream().filter(i -> !locked.contains(place(i))).toList();
      }
      if (free.size() < numbers.size()) {
        byRulesInHalves(free);
      } else if (numbers.size() == 1 && Failures.of(e) == Failures.LOCKED) {
        // Not its own row is locked, but one that it needs: a lease or a floor.
        leaveOpen(numbers.getFirst());
      } else {
        halves(numbers, Failures.text(e));
      }
    }
  }

  private void halves(List<Integer> numbers, String why) throws SQLException {
    if (numbers.size() == 1) {
      fail(numbers.getFirst(), why);
    } else {
      byRulesInHalves(numbers.subList(0, numbers.size() / 2));
      byRulesInHalves(numbers.subList(numbers.size() / 2, numbers.size()));
    }
  }

  private Set<K> locked(List<Integer> numbers) throws SQLException {
    List<K> places = numbers.stream().map(this::place).distinct().toList();
    return reading(connection -> table.locked(connection, places)).orElse(Set.of());
  }

  /** Decides one command, and waits for its row for a moment; after that the command stays open. */
  protected final void alone(int number) throws SQLException {
    List<C> command = List.of(batch.get(number));
    try {
      keep(number, briefly(connection -> decideInOrder(connection, command)).getFirst());
    } catch (RuntimeException e) {
      fail(number, e.toString());
    } catch (SQLException e) {
      switch (Failures.of(e)) {
        case LOCKED -> waitedInVain = true;
        case REFUSED, RESTART -> fail(number, Failures.text(e));
        case UNREACHABLE, CUT_OFF -> throw e;
      }
    }
  }
}
