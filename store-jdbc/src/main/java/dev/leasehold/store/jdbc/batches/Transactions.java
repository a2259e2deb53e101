package dev.leasehold.store.jdbc.batches;

import dev.leasehold.store.jdbc.connections.Work;
import java.sql.SQLException;

/** Transactions that are run for one batch, one after the other. */
public interface Transactions {
  /**
   * Runs one, and runs it again if others made it fail or its connection broke. On a server the
   * work begins with the limits of its transaction, {@code bound-transaction}, so that they cost no
   * trip of their own.
   */
  <T> T run(Work<T> work) throws SQLException;

  /** The same for a statement that is a transaction by itself. */
  <T> T runStatement(Work<T> work) throws SQLException;

  /** Whether something may have taken effect that nobody was told of. */
  boolean wasCutOff();
}
