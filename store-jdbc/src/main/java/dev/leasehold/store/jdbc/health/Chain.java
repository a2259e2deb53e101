package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;

/**
 * Extends the store's chain: a random value for each second in which something was granted. A
 * counter, such as a position in a log, reaches the same values again after a rollback. A random
 * value does not, so it proves for good that a store continued from an earlier state.
 */
final class Chain {
  /** Of older links, only those at multiples of this height are kept. */
  static final int MILESTONE = 256;

  /** This many newest links are all kept: more than a day with grants in every second. */
  static final long KEPT = 100_000;

  private static final long MILESTONES_KEPT = 100_000;

  /** How far back to look for links that a process left behind when it died before trimming. */
  private static final long THINNED = 65_536;

  private static final int LINK_BYTES = 16;

  private final SecureRandom random = new SecureRandom();

  /** The highest milestone up to this height. */
  static long milestoneBelow(long height) {
    return height - height % MILESTONE;
  }

  /** Whether the store still has the link of that height, if nothing was lost. */
  static boolean keeps(long height, long newest) {
    long age = newest - height;
    return age < KEPT || (height % MILESTONE == 0 && age < KEPT + MILESTONES_KEPT * MILESTONE);
  }

  /**
   * Adds a link in a transaction of its own, unless one was added within the last second.
   *
   * @return whether it was added
   */
  boolean append(StoreConnection connection) throws SQLException {
    byte[] bytes = new byte[LINK_BYTES];
    random.nextBytes(bytes);
    return connection.update("append-link", HexFormat.of().formatHex(bytes)) > 0;
  }

  /** Removes what no witness needs; rarely, and few rows at a time. */
  void trim(StoreConnection connection) throws SQLException {
    long newest = connection.number("chain-height");
    long oldest = newest - KEPT;
    if (newest % MILESTONE == 0 && oldest > 0) {
      connection.update("thin-chain", oldest - THINNED, oldest);
      connection.update("trim-chain", oldest - MILESTONES_KEPT * MILESTONE);
    }
  }
}
