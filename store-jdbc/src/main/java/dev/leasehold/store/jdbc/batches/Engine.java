package dev.leasehold.store.jdbc.batches;

import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Work;
import java.util.concurrent.CompletionStage;

/** How a kind of database is used: who writes when, and on which connection. */
public interface Engine extends AutoCloseable {
  /** Reads, without ever waiting for a lease. */
  <T> CompletionStage<T> read(Work<T> work);

  /** Runs in one transaction, again if others made it fail. */
  <T> CompletionStage<T> transact(Work<T> work);

  /** The same for several transactions of a batch; refused if the store has gone back. */
  <T> CompletionStage<T> change(Changing<T> changing);

  /** What is done in these transactions. */
  interface Changing<T> {
    T in(Transactions transactions) throws Exception;
  }

  /** Keeps every other writer out of the leases until the transaction ends. */
  void lockOutWriters(Session session) throws java.sql.SQLException;

  long restarts();

  @Override
  void close();
}
