package dev.leasehold.store.jdbc;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
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
 * each array statements settle what is usual, the rules settle the rest of what nobody else has
 * locked, in one transaction, and what is left is decided alone and waits for its row.
 */
final class ServerBatch {
  /** How often a batch goes through the array statements. */
  private static final int ROUNDS = 3;

  private static final String LOCKED = "its row is locked by another transaction";

  private final List<Command> batch;
  private final Limits limits;
  private final Attempts attempts;
  private final Map<Integer, Settled> settled = new TreeMap<>();

  ServerBatch(List<Command> batch, Limits limits, Attempts attempts) {
    this.batch = batch;
    this.limits = limits;
    this.attempts = attempts;
  }

  List<Settled> run() {
    List<List<Integer>> rounds = rounds();
    for (List<Integer> round : rounds.subList(0, Math.min(ROUNDS, rounds.size()))) {
      settleOrFail(round, this::settle);
    }
    // Many commands on one key: the rest of them in one transaction.
    for (List<Integer> ofOneKey : left()) {
      settleOrFail(ofOneKey, this::inOneTransaction);
    }
    return List.copyOf(settled.values());
  }

  private interface Step {
    void settle(List<Integer> numbers) throws SQLException;
  }

  private void settleOrFail(List<Integer> numbers, Step step) {
    try {
      step.settle(numbers);
    } catch (SQLException e) {
      for (int i : open(numbers, command -> true)) {
        settled.put(i, failed(e));
      }
    }
  }

  private List<List<Integer>> rounds() {
    List<List<Integer>> rounds = new ArrayList<>();
    Map<LeaseKey, Integer> seen = new HashMap<>();
    for (int i = 0; i < batch.size(); i++) {
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
    try {
      keep(
          numbers,
          attempts.run(
              session ->
                  session.inTransaction(s -> decideInOrder(s, commands(numbers, Command.class)))));
    } catch (SQLException e) {
      if (Failures.of(e) != Failures.REFUSED && Failures.of(e) != Failures.LOCKED) {
        throw e;
      }
      for (int i : numbers) {
        settled.put(i, alone(batch.get(i)));
      }
    }
  }

  private Map<Integer, Settled> decideInOrder(Session session, List<Command> commands)
      throws SQLException {
    session.boundLockWaits();
    Ruling ruling = new Ruling(session, limits);
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n = 0; n < commands.size(); n++) {
      decided.put(n, ruling.decideAlone(commands.get(n)));
    }
    return decided;
  }

  private Settled failed(SQLException why) {
    Certainty certainty = attempts.wasCutOff() ? Certainty.UNKNOWN : Certainty.NOT_APPLIED;
    return Settled.failed(certainty, String.valueOf(why.getMessage()));
  }

  private void settle(List<Integer> round) throws SQLException {
    renewUsually(open(round, c -> c instanceof Command.Renew && isWellFormed(c)));
    moveUsually(open(round, Command.Release.class::isInstance), open(round, this::isUsualAcquire));
    byRules(open(round, Command.Renew.class::isInstance), (s, c) -> decide(s, c, "lock-renewals"));
    byRules(
        open(round, c -> !(c instanceof Command.Renew || c instanceof Command.Purge)),
        (s, c) -> decide(s, c, "lock-leases"));
    byRules(open(round, c -> !(c instanceof Command.Purge)), this::decideNew);
    leaveLockedRenewals(open(round, Command.Renew.class::isInstance));
    for (int i : open(round, command -> true)) {
      settled.put(i, alone(batch.get(i)));
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

  private void renewUsually(List<Integer> renewals) throws SQLException {
    if (!renewals.isEmpty()) {
      List<Command.Renew> commands = commands(renewals, Command.Renew.class);
      keep(renewals, statements(on -> on.renew(commands)).orElse(Map.of()));
    }
  }

  private boolean isUsualAcquire(Command command) {
    return command instanceof Command.Acquire acquire
        && acquire.expected().isEmpty()
        && isWellFormed(acquire);
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
      keep(unseen, statements(on -> on.acquireNew(news)).orElse(Map.of()));
    }
  }

  private void keep(List<Integer> numbers, Map<Integer, Settled> found) {
    found.forEach((n, outcome) -> settled.put(numbers.get(n), outcome));
  }

  private interface Use<T> {
    T of(ArrayStatements statements) throws SQLException;
  }

  /**
   * Nothing, when the statement was refused: one of its commands may be to blame, so each alone.
   */
  private <T> Optional<T> statements(Use<T> use) throws SQLException {
    try {
      return Optional.of(
          attempts.run(
              session -> {
                session.autoCommit(true);
                return use.of(new ArrayStatements(session));
              }));
    } catch (SQLException e) {
      if (Failures.of(e) == Failures.REFUSED) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /** The rules say what is wrong with the others. */
  private boolean isWellFormed(Command command) {
    try {
      switch (command) {
        case Command.Acquire acquire -> limits.requireTtl(acquire.terms().ttlMillis());
        case Command.Renew renew -> renew.ttlMillis().ifPresent(limits::requireTtl);
        default -> {}
      }
      return true;
    } catch (IllFormedException e) {
      return false;
    }
  }

  private interface Rules {
    Map<Integer, Settled> decide(Session session, List<Command> commands) throws SQLException;
  }

  /** In one transaction, what can be decided without waiting for others. */
  private void byRules(List<Integer> open, Rules rules) throws SQLException {
    if (open.isEmpty() || batch.size() == 1) {
      return;
    }
    List<Command> commands = commands(open, Command.class);
    try {
      keep(open, attempts.run(session -> session.inTransaction(s -> rules.decide(s, commands))));
    } catch (SQLException e) {
      if (Failures.of(e) != Failures.REFUSED && Failures.of(e) != Failures.LOCKED) {
        throw e;
      }
      // One of them may be to blame: each alone.
    }
  }

  /** Rows that exist and that nobody has locked. */
  private Map<Integer, Settled> decide(Session session, List<Command> commands, String lock)
      throws SQLException {
    Ruling ruling = new Ruling(session, limits);
    Map<LeaseKey, LeaseRow.Found> rows = rows(session, commands, lock);
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n = 0; n < commands.size(); n++) {
      LeaseRow.Found found = rows.get(commands.get(n).key());
      if (found != null) {
        decided.put(n, ruling.decide(commands.get(n), found));
      }
    }
    return decided;
  }

  /** Keys that have no row. Their floors are locked, so that none of them is purged meanwhile. */
  private Map<Integer, Settled> decideNew(Session session, List<Command> commands)
      throws SQLException {
    session.boundLockWaits();
    Map<LeaseKey, LeaseRow.Found> blanks = blanks(session, commands);
    Set<String> existing = existing(session, commands);
    Ruling ruling = new Ruling(session, limits);
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n = 0; n < commands.size(); n++) {
      LeaseKey key = commands.get(n).key();
      LeaseRow.Found blank = blanks.get(key);
      if (blank != null && !existing.contains(key.text())) {
        decided.put(n, ruling.decide(commands.get(n), blank));
      }
    }
    return decided;
  }

  private static Map<LeaseKey, LeaseRow.Found> blanks(Session session, List<Command> commands)
      throws SQLException {
    Map<Integer, List<LeaseKey>> keys =
        commands.stream().map(Command::key).collect(Collectors.groupingBy(Buckets::of));
    PreparedStatement statement = session.prepare("lock-floors");
    statement.setArray(1, session.connection().createArrayOf("int4", keys.keySet().toArray()));
    Map<LeaseKey, LeaseRow.Found> blanks = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (LeaseKey key : keys.getOrDefault(rows.getInt(5), List.of())) {
          blanks.put(key, LeaseRow.blank(key, rows));
        }
      }
    }
    return blanks;
  }

  private static Set<String> existing(Session session, List<Command> commands) throws SQLException {
    PreparedStatement statement = session.prepare("existing");
    new ArrayStatements(session).bindKeys(statement, 0, commands);
    Set<String> keys = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(rows.getString(1));
      }
    }
    return keys;
  }

  private static Map<LeaseKey, LeaseRow.Found> rows(
      Session session, List<Command> commands, String lock) throws SQLException {
    PreparedStatement statement = session.prepare(lock);
    new ArrayStatements(session).bindKeys(statement, 0, commands);
    Map<LeaseKey, LeaseRow.Found> found = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        LeaseRow.Found row = LeaseRow.read(rows);
        found.put(row.row().record().key(), row);
      }
    }
    return found;
  }

  /** Among many, one that is locked must not keep the others waiting: it is sent again alone. */
  private void leaveLockedRenewals(List<Integer> open) throws SQLException {
    if (batch.size() == 1 || open.isEmpty()) {
      return;
    }
    List<Command> commands = commands(open, Command.class);
    Set<String> existing =
        attempts.run(
            session -> {
              session.autoCommit(true);
              return existing(session, commands);
            });
    for (int i : open) {
      if (existing.contains(batch.get(i).key().text())) {
        settled.put(i, Settled.failed(Certainty.NOT_APPLIED, LOCKED));
      }
    }
  }

  private Settled alone(Command command) throws SQLException {
    try {
      return attempts.run(
          session ->
              session.inTransaction(
                  s -> {
                    s.boundLockWaits();
                    return new Ruling(s, limits).decideAlone(command);
                  }));
    } catch (SQLException e) {
      return switch (Failures.of(e)) {
        case LOCKED -> locked(command);
        case REFUSED, RESTART -> failed(e);
        case UNREACHABLE, CUT_OFF -> throw e;
      };
    }
  }

  /** Somebody is at work on it: an acquire is told who holds it, and may ask again at once. */
  private Settled locked(Command command) throws SQLException {
    Optional<Grant> holder =
        command instanceof Command.Acquire ? holderOf(command.key()) : Optional.empty();
    return holder
        .<Outcome>map(
            g -> new Outcome.Held(g.terms().info().holder(), g.instanceId(), g.token(), 0))
        .map(Settled::of)
        .orElseGet(
            () -> Settled.failed(Certainty.NOT_APPLIED, LOCKED + " for longer than a second"));
  }

  private Optional<Grant> holderOf(LeaseKey key) throws SQLException {
    return attempts.run(
        session -> {
          session.autoCommit(true);
          return session.query(
              rows -> rows.next() ? LeaseRow.read(rows).row().record().grant() : Optional.empty(),
              "read",
              Buckets.of(key),
              key.text());
        });
  }
}
