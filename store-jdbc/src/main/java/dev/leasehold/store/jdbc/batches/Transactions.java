package dev.leasehold.store.jdbc.batches;

import dev.leasehold.store.jdbc.connections.ConnectionWork;
import java.sql.SQLException;

/** Runs transactions of one batch, one after the other. */
public interface Transactions {
  /**
   * Runs one transaction, and runs it again if concurrent ones made it fail or its connection
   * broke. On a server the work begins with the limits of its transaction, {@code
   * bound-transaction}, so that they cost no round trip of their own.
   */
  <T> T run(ConnectionWork<T> work) throws SQLException;

  /** The same, for work that does not set these limits. */
  <T> T runBounded(ConnectionWork<T> work) throws SQLException;
}
