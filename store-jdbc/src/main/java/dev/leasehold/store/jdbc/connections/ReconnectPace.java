package dev.leasehold.store.jdbc.connections;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.SplittableRandom;

/**
 * How long to wait before the next attempt to reach a server. If no server answers at the address,
 * the pause is short: attempts burden no server, and it is used as soon as it is back. If a server
 * refuses the connection, because it has too many for example, the pause grows, to spare it.
 */
final class ReconnectPace {
  static final long AWAY_MILLIS = 200;
  static final long LONGEST_MILLIS = 5_000;

  private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
  private long boundMillis = AWAY_MILLIS;

  synchronized void found() {
    boundMillis = AWAY_MILLIS;
  }

  synchronized long pauseMillis(SQLException failure) {
    if (Failures.isUnreachable(failure)) {
      boundMillis = AWAY_MILLIS;
      return AWAY_MILLIS;
    }
    boundMillis = Math.min(2 * boundMillis, LONGEST_MILLIS);
    // Random, so that not all processes retry at the same time.
    return random.nextLong(boundMillis / 2, boundMillis + 1);
  }
}
