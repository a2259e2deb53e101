package dev.leasehold.store.jdbc.batches;

import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.util.concurrent.CompletionStage;

/** How a kind of database is used: which threads write, when, and on which connections. */
public interface Engine extends AutoCloseable {
  /** Starts to carry out a table's commands; called once for each table. */
  <K, C, S> Batches<C, S> open(Table<K, C, S> table);

  /** Reads without ever waiting for a lease. */
  <T> CompletionStage<T> read(ConnectionWork<T> work);

  /** Runs the work in one transaction, and again if concurrent transactions made it fail. */
  <T> CompletionStage<T> transact(ConnectionWork<T> work);

  /** The same for work in several transactions; refused if the store has gone back. */
  <T> CompletionStage<T> change(Changing<T> changing);

  /** The work in these transactions. */
  interface Changing<T> {
    T in(Transactions transactions) throws Exception;
  }

  /** Keeps every other writer out of the leases until the transaction ends. */
  void lockOutWriters(StoreConnection connection) throws java.sql.SQLException;

  long restarts();

  @Override
  void close();
}
