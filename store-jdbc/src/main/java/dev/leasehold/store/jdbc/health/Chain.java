package dev.leasehold.store.jdbc.health;

import dev.leasehold.store.jdbc.connections.Session;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.HexFormat;

/**
 * Makes the store's chain longer: a random value for each second in which something was granted. A
 * number that is counted up, as the position in a log is, comes up again after a rollback; a random
 * value does not, so a store that went on from an earlier state is known by it for good.
 */
final class Chain {
  /** Of older links only each so many-th is kept. */
  static final int MILESTONE = 256;

  /** So many newest links are all kept: more than a day of grants in every second. */
  static final long KEPT = 100_000;

  private static final long MILESTONES_KEPT = 100_000;

  /** How far back is looked for links that a process left when it died before it had tidied. */
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
  boolean append(Session session) throws SQLException {
    byte[] bytes = new byte[LINK_BYTES];
    random.nextBytes(bytes);
    return session.update("append-link", HexFormat.of().formatHex(bytes)) > 0;
  }

  /** Removes what no witness needs; rarely, and few rows at a time. */
  void trim(Session session) throws SQLException {
    long newest = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "chain-height");
    long oldest = newest - KEPT;
    if (newest % MILESTONE == 0 && oldest > 0) {
      session.update("thin-chain", oldest - THINNED, oldest);
      session.update("trim-chain", oldest - MILESTONES_KEPT * MILESTONE);
    }
  }
}
