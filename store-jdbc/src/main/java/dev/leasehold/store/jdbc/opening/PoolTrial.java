package dev.leasehold.store.jdbc.opening;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes as many connections at once as a store needs at least, and returns them. With fewer the
 * store would wait for itself, because it keeps some as long as it is open.
 */
public final class PoolTrial {
  /**
   * Five are kept: for writing, reading, housekeeping, listening, and changes at effect. Two more
   * announce changes, and test whether listeners get them.
   */
  public static final int LEAST_WITH_ONE_WRITER = 7;

  /** One that renews, one that listens, and one for everything else. */
  private static final int LEAST_WITH_MANY_WRITERS = 3;

  static final int ENOUGH = 10;

  private final Connector connector;
  private final int least;
  private final List<StoreConnection> taken = new ArrayList<>();
  private boolean over;

  public PoolTrial(Connector connector, Dialect dialect) {
    this.connector = connector;
    this.least = dialect.hasOneWriter() ? LEAST_WITH_ONE_WRITER : LEAST_WITH_MANY_WRITERS;
  }

  /** Runs with a time limit, even if the pool makes a caller wait for the next connection. */
  public void run() {
    try {
      int unused = Opening.within(this::takeAll);
    } catch (StoreUnusableException e) {
      throw StoreUnusableException.unreachable(
          "the pool gave "
              + end()
              + " of the "
              + least
              + " connections that a store cannot do without: let it give "
              + ENOUGH
              + " beside what the application needs ("
              + e.getMessage()
              + ")",
          e);
    }
  }

  private int takeAll() throws SQLException {
    try {
      int had = 0;
      while (had < least) {
        had = keep(connector.connect());
      }
      return had;
    } finally {
      int unused = end();
    }
  }

  /** Keeps a connection; one that arrives after the end is returned at once. */
  private synchronized int keep(StoreConnection connection) {
    if (over) {
      connection.closeQuietly();
      return least;
    }
    taken.add(connection);
    return taken.size();
  }

  /** Returns all connections, and tells how many there were. */
  private synchronized int end() {
    if (!over) {
      over = true;
      taken.forEach(StoreConnection::closeQuietly);
    }
    return taken.size();
  }
}
