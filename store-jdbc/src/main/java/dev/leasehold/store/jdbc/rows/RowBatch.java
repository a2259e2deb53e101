package dev.leasehold.store.jdbc.rows;

import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A batch of commands on rows for a server. The rules settle it in one transaction; a block may
 * settle usual commands before, by statements for many at once.
 */
public class RowBatch<K extends Comparable<? super K>, C extends FencedCommand, O, H>
    extends TableBatch<K, C, RowResult<O, H>> {
  private final RowTable<K, C, O, H> table;

  public RowBatch(
      RowTable<K, C, O, H> table, List<C> batch, Attempts attempts, LockedPlaces<K> lockedPlaces) {
    super(table, batch, attempts, lockedPlaces);
    this.table = table;
  }

  /** Settles what statements for many commands can; the rest is left to the rules. */
  protected void settleUsual(List<Integer> round) throws SQLException {}

  /**
   * Those of a round that statements for many commands may take, in the order of their places,
   * which is the order of locking. Several commands on one place must take effect in their own
   * order, so they are left to the rules.
   */
  protected final List<Integer> forStatements(List<Integer> round, Predicate<? super C> which) {
    Map<K, Integer> commandsOn = new HashMap<>();
    batch.forEach(command -> commandsOn.merge(table.place(command), 1, Integer::sum));
    return open(round, which).stream()
        .filter(i -> commandsOn.getOrDefault(place(i), 0) == 1)
        .sorted(Comparator.comparing(this::place))
        .toList();
  }

  /** All in one round: the rules decide several commands on one row in order. */
  @Override
  protected final List<List<Integer>> rounds(List<Integer> open) {
    return List.of(open);
  }

  @Override
  protected final void settle(List<Integer> round) throws SQLException {
    settleUsual(round);
    byRulesInHalves(open(round, command -> true));
  }

  @Override
  protected final List<RowResult<O, H>> decideInOrder(StoreConnection connection, List<C> commands)
      throws SQLException {
    return table.rows(connection).run(commands, wasCutOff());
  }

  /** The first statements set the limits, so that they cost no round trip of their own. */
  @Override
  protected final <T> T inBriefTransaction(StoreConnection connection, ConnectionWork<T> work)
      throws SQLException {
    return connection.inTransaction(work);
  }
}
