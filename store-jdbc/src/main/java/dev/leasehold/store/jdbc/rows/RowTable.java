package dev.leasehold.store.jdbc.rows;

import dev.leasehold.kernel.spi.CommandKind;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockHolders;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.Table;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.changes.ChangeKind;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The rows of a block, as batches of commands change them.
 *
 * @param <K> the place of a command, in whose order rows are locked
 * @param <H> a change, as watchers are told of it
 */
public abstract class RowTable<K extends Comparable<? super K>, C extends FencedCommand, O, H>
    implements Table<K, C, RowResult<O, H>> {
  protected final CommandKind<K, C, O> kind;
  final ChangeKind<H> changes;
  private final Statements statements;
  private final ChangeLines lines;

  /**
   * Statements that name the block's table.
   *
   * @param locked selects those of the given places whose row another transaction has locked
   * @param lockHolders selects who has the row of a place locked, where the database tells
   */
  public record Statements(String locked, String lockHolders) {}

  protected RowTable(
      CommandKind<K, C, O> kind, ChangeKind<H> changes, Statements statements, ChangeLines lines) {
    this.kind = kind;
    this.changes = changes;
    this.statements = statements;
    this.lines = lines;
  }

  /** The rows of one batch, within a transaction. */
  protected abstract LockedRows<K, C, O, H, ?, ?> rows(StoreConnection connection);

  /** The columns of a row's primary key. */
  protected abstract List<?> columns(K place);

  /** The place whose columns these are. */
  protected abstract K place(ResultSet row) throws SQLException;

  @Override
  public final K place(C command) {
    return kind.place(command).orElseThrow();
  }

  @Override
  public final boolean isFinal(C command, RowResult<O, H> settled) {
    return kind.isFinal(command, settled.outcome());
  }

  @Override
  public final RowResult<O, H> failed(Certainty certainty, String detail) {
    return RowResult.unchanged(kind.failed(certainty, detail));
  }

  @Override
  public final boolean keepsLeases() {
    return false;
  }

  @Override
  public boolean isUrgent(C command) {
    return false;
  }

  @Override
  public TableBatch<K, C, RowResult<O, H>> begin(
      List<C> batch, Attempts attempts, LockedPlaces<K> lockedPlaces) {
    return new RowBatch<>(this, batch, attempts, lockedPlaces);
  }

  @Override
  public final List<RowResult<O, H>> decide(StoreConnection connection, List<C> batch)
      throws SQLException {
    List<RowResult<O, H>> settled = rows(connection).run(batch, false);
    lines.post(connection, changes, settled);
    return settled;
  }

  @Override
  public final Set<K> locked(StoreConnection connection, List<K> places) throws SQLException {
    return Set.copyOf(
        connection.list(
            this::place,
            statements.locked(),
            connection.columns(places.stream().map(this::columns).toList())));
  }

  @Override
  public final List<LockHolder> lockHolders(StoreConnection connection, K place)
      throws SQLException {
    return LockHolders.find(connection, statements.lockHolders(), columns(place).toArray());
  }
}
