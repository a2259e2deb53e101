package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.Expectation;
import dev.leasehold.blocks.objects.ObjectChange;
import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Transactions;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.changes.SequenceCursor;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.objects.ObjectStatements.Written;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One batch of writes on its way through the database. On PostgreSQL array statements settle what
 * is usual; the rules settle the rest, in one transaction.
 */
final class ObjectWrites {
  private final List<ObjectCommand> batch;
  private final Transactions transactions;
  private final Parts parts;
  private final Map<Integer, ObjectSettled> settled = new TreeMap<>();

  /** What every batch of a store needs. */
  record Parts(Dialect dialect, ChangeLines lines, long memoryMillis) {}

  ObjectWrites(List<ObjectCommand> batch, Transactions transactions, Parts parts) {
    this.batch = batch;
    this.transactions = transactions;
    this.parts = parts;
  }

  /** In the order of the batch. */
  List<ObjectSettled> run() {
    try {
      if (parts.dialect() == Dialect.POSTGRESQL) {
        settleUsual();
      }
      settleByRules(open());
    } catch (SQLException e) {
      open().forEach(i -> keep(i, failed(Failures.text(e))));
    }
    return List.copyOf(settled.values());
  }

  private List<Integer> open() {
    return IntStream.range(0, batch.size()).filter(i -> !settled.containsKey(i)).boxed().toList();
  }

  private void settleUsual() throws SQLException {
    List<Integer> usual = usual();
    List<Integer> existing = usual.stream().filter(i -> !expectsAbsence(i)).toList();
    Set<Integer> mayBeNew = new HashSet<>(usual);
    if (!existing.isEmpty()) {
      List<ObjectCommand.Put> puts = puts(existing);
      Optional<Written> written = statement(on -> on.put(puts, parts.memoryMillis()));
      written.ifPresent(made -> keep(existing, made.settled()));
      written.ifPresent(made -> made.seen().forEach(n -> mayBeNew.remove(existing.get(n))));
    }
    List<Integer> fresh =
        usual.stream().filter(i -> mayBeNew.contains(i) && !expectsVersion(i)).toList();
    if (!fresh.isEmpty()) {
      List<ObjectCommand.Put> puts = puts(fresh);
      statement(on -> on.putNew(puts)).ifPresent(made -> keep(fresh, made));
    }
  }

  /**
   * In the order of names, in which they are locked. Several on one object take effect in their own
   * order: they are left to the rules.
   */
  private List<Integer> usual() {
    Map<ObjectName, Integer> commandsOn = new HashMap<>();
    batch.forEach(command -> commandsOn.merge(command.name(), 1, Integer::sum));
    return IntStream.range(0, batch.size())
        .filter(i -> batch.get(i) instanceof ObjectCommand.Put)
        .filter(i -> batch.get(i).claim().isEmpty())
        .filter(i -> commandsOn.getOrDefault(batch.get(i).name(), 0) == 1)
        .boxed()
        .sorted(Comparator.comparing(i -> batch.get(i).name()))
        .toList();
  }

  private boolean expectsAbsence(int number) {
    return batch.get(number).expected() instanceof Expectation.Absence;
  }

  private boolean expectsVersion(int number) {
    return batch.get(number).expected() instanceof Expectation.At;
  }

  private List<ObjectCommand.Put> puts(List<Integer> numbers) {
    return numbers.stream().map(batch::get).map(ObjectCommand.Put.class::cast).toList();
  }

  private interface Use<T> {
    T of(ObjectStatements statements) throws SQLException;
  }

  /** Nothing, when the statement failed: one of its commands may be to blame, so to the rules. */
  private <T> Optional<T> statement(Use<T> use) throws SQLException {
    try {
      return Optional.of(transactions.runStatement(s -> use.of(new ObjectStatements(s))));
    } catch (SQLException e) {
      if (isOfOne(e)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static boolean isOfOne(SQLException e) {
    return Failures.of(e) == Failures.REFUSED || Failures.of(e) == Failures.LOCKED;
  }

  /** Together; if that is refused or somebody keeps a row locked, one of them may be to blame. */
  private void settleByRules(List<Integer> numbers) throws SQLException {
    if (numbers.isEmpty()) {
      return;
    }
    List<ObjectCommand> commands = numbers.stream().map(batch::get).toList();
    try {
      List<ObjectSettled> found = transactions.run(session -> byRules(session, commands));
      IntStream.range(0, found.size()).forEach(n -> keep(numbers.get(n), found.get(n)));
    } catch (SQLException e) {
      if (!isOfOne(e)) {
        throw e;
      }
      if (numbers.size() == 1) {
        keep(numbers.getFirst(), failed(Failures.text(e)));
        return;
      }
      int half = numbers.size() / 2;
      settleByRules(numbers.subList(0, half));
      settleByRules(numbers.subList(half, numbers.size()));
    }
  }

  private List<ObjectSettled> byRules(Session session, List<ObjectCommand> commands)
      throws SQLException {
    boolean onFile = parts.dialect() == Dialect.SQLITE;
    ObjectRows rows = onFile ? new SqliteObjectRows(session) : new ServerObjectRows(session);
    List<ObjectSettled> found = new ObjectBatch(rows, parts.memoryMillis()).run(commands);
    if (onFile) {
      SequenceCursor.post(session, parts.lines().objectTexts(changes(found)));
    }
    return found;
  }

  static List<ObjectChange> changes(List<ObjectSettled> settled) {
    return settled.stream().flatMap(one -> one.change().stream()).toList();
  }

  private void keep(List<Integer> numbers, Map<Integer, ObjectSettled> found) {
    found.forEach((n, one) -> keep(numbers.get(n), one));
  }

  /**
   * What was sent on a connection that broke may still be on its way to the server: a write that
   * has changed nothing yet may still change something, once it finds what it expects.
   */
  private void keep(int number, ObjectSettled found) {
    boolean maySettleOtherwise =
        transactions.wasCutOff()
            && switch (found.outcome()) {
              case ObjectOutcome.Written written -> false;
              case ObjectOutcome.Deleted deleted -> false;
              // No object is at the same version twice.
              case ObjectOutcome.Conflict conflict -> !expectsVersion(number);
              case ObjectOutcome.Absent absent -> true;
              case ObjectOutcome.Refused refused -> true;
              case ObjectOutcome.Bound bound -> true;
              case ObjectOutcome.Rejected rejected -> true;
              case ObjectOutcome.Failed failed -> false;
            };
    settled.put(
        number,
        maySettleOtherwise
            ? failed("the connection broke, and the answer since was " + found.outcome())
            : found);
  }

  /** After a connection has broken, an earlier copy of the command may have taken effect. */
  private ObjectSettled failed(String why) {
    Certainty certainty = transactions.wasCutOff() ? Certainty.UNKNOWN : Certainty.NOT_APPLIED;
    return ObjectSettled.unchanged(new ObjectOutcome.Failed(certainty, why));
  }
}
