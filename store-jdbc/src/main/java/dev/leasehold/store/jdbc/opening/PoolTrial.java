package dev.leasehold.store.jdbc.opening;

import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes as many connections at once as a store cannot do without, and gives them back. With fewer
 * it would wait for itself: some it keeps as long as it is open.
 */
public final class PoolTrial {
  /**
   * Kept are one that writes, one that reads, one for housekeeping, one that listens and one for
   * changes at effect; then one that tells others, and one that tries whether they hear it.
   */
  public static final int LEAST_ON_SQLITE = 7;

  /** One that renews, one that listens, and one for everything else. */
  private static final int LEAST_ON_SERVER = 3;

  static final int ENOUGH = 10;

  private final Connector connector;
  private final int least;
  private final List<Session> taken = new ArrayList<>();
  private boolean over;

  public PoolTrial(Connector connector, Dialect dialect) {
    this.connector = connector;
    this.least = dialect == Dialect.SQLITE ? LEAST_ON_SQLITE : LEAST_ON_SERVER;
  }

  /** Answers in time, even if the pool keeps whoever wants one more waiting. */
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

  /** What comes after the end goes back at once. */
  private synchronized int keep(Session session) {
    if (over) {
      session.closeQuietly();
      return least;
    }
    taken.add(session);
    return taken.size();
  }

  /** Gives back what was taken; returns how many that were. */
  private synchronized int end() {
    if (!over) {
      over = true;
      taken.forEach(Session::closeQuietly);
    }
    return taken.size();
  }
}
