package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * The rows of a block, as an {@link Engine} carries out commands on them.
 *
 * @param <K> the place of a command: the key of its row
 * @param <C> a command
 * @param <S> the result of a command, and what must be done once it is committed
 */
public interface Table<K, C, S> {
  K place(C command);

  /** See {@link dev.leasehold.kernel.spi.CommandKind#isFinal}. */
  boolean isFinal(C command, S settled);

  S failed(Certainty certainty, String detail);

  /** Whether leases expire if its commands are late: then they have threads of their own. */
  boolean keepsLeases();

  /** On a server, urgent commands have a connection of their own; on a file, they go first. */
  boolean isUrgent(C command);

  /** On a server: starts a batch, which the engine then advances. */
  TableBatch<K, C, S> begin(List<C> batch, Attempts attempts, LockedPlaces<K> lockedPlaces);

  /** On a file: decides a batch within a transaction of its only writer. */
  List<S> decide(StoreConnection connection, List<C> batch) throws SQLException;

  /** Which of these places have a row that another transaction has locked. Never waits. */
  Set<K> locked(StoreConnection connection, List<K> places) throws SQLException;

  /** Who has the row of a place locked; asked where the database tells. */
  List<LockHolder> lockHolders(StoreConnection connection, K place) throws SQLException;
}
