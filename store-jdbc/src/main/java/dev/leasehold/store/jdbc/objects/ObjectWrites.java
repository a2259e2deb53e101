package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.connections.Work;
import dev.leasehold.store.jdbc.objects.ObjectStatements.Written;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A batch of writes for a server. Array statements settle the usual ones, if the database supports
 * them; the rules settle the rest, in one transaction.
 */
final class ObjectWrites extends TableBatch<ObjectName, ObjectCommand, ObjectSettled> {
  private final ObjectTable table;

  ObjectWrites(
      ObjectTable table,
      List<ObjectCommand> batch,
      Attempts attempts,
      LockedPlaces<ObjectName> lockedPlaces) {
    super(table, batch, attempts, lockedPlaces);
    this.table = table;
  }

  /** All in one round: the rules decide several writes of one object in order. */
  @Override
  protected List<List<Integer>> rounds(List<Integer> open) {
    return List.of(open);
  }

  @Override
  protected void settle(List<Integer> round) throws SQLException {
    if (table.inArrays()) {
      settleUsual(round);
    }
    byRulesInHalves(open(round, command -> true));
  }

  @Override
  protected List<ObjectSettled> decideInOrder(
      StoreConnection connection, List<ObjectCommand> commands) throws SQLException {
    ServerObjectRows rows = new ServerObjectRows(connection);
    return new ObjectBatch(rows, table.memoryMillis(), wasCutOff()).run(commands);
  }

  /** The first statement sets the limits, so that they cost no round trip of their own. */
  @Override
  protected <T> T inBriefTransaction(StoreConnection connection, Work<T> work) throws SQLException {
    return connection.inTransaction(work);
  }

  private void settleUsual(List<Integer> round) throws SQLException {
    List<Integer> usual = usual(round);
    List<Integer> existing = usual.stream().filter(i -> !expectsAbsence(i)).toList();
    Set<Integer> mayBeNew = new HashSet<>(usual);
    if (!existing.isEmpty()) {
      List<ObjectCommand.Put> puts = puts(existing);
      Optional<Written> written =
          statement(s -> new ObjectStatements(s).put(puts, table.memoryMillis()));
      written.ifPresent(made -> keep(existing, made.settled()));
      written.ifPresent(made -> made.seen().forEach(n -> mayBeNew.remove(existing.get(n))));
    }
    List<Integer> fresh =
        usual.stream().filter(i -> mayBeNew.contains(i) && !expectsVersion(i)).toList();
    if (!fresh.isEmpty()) {
      List<ObjectCommand.Put> puts = puts(fresh);
      statement(s -> new ObjectStatements(s).putNew(puts)).ifPresent(made -> keep(fresh, made));
    }
  }

  /**
   * In the order of names, which is the order of locking. Several writes on one object must take
   * effect in their own order, so they are left to the rules.
   */
  private List<Integer> usual(List<Integer> round) {
    Map<ObjectName, Integer> commandsOn = new HashMap<>();
    batch.forEach(command -> commandsOn.merge(command.name(), 1, Integer::sum));
    return round.stream()
        .filter(i -> batch.get(i) instanceof ObjectCommand.Put)
        .filter(i -> batch.get(i).claim().isEmpty())
        .filter(i -> commandsOn.getOrDefault(batch.get(i).name(), 0) == 1)
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
    return commands(numbers, ObjectCommand.Put.class);
  }
}
