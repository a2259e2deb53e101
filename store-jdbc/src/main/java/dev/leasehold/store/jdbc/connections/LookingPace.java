package dev.leasehold.store.jdbc.connections;

import java.security.SecureRandom;
import java.sql.SQLException;
import java.util.SplittableRandom;

/**
 * How long to wait before a server is looked for again. One that is not there is looked for all the
 * time: nobody is troubled by it, and it is used as soon as it is back. One that is there and turns
 * us away, as one with too many connections does, has to be spared.
 */
final class LookingPace {
  static final long AWAY_MILLIS = 200;
  static final long LONGEST_MILLIS = 5_000;

  private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
  private long boundMillis = AWAY_MILLIS;

  synchronized void found() {
    boundMillis = AWAY_MILLIS;
  }

  synchronized long pauseMillis(SQLException failure) {
    if (Failures.isNobodyThere(failure)) {
      boundMillis = AWAY_MILLIS;
      return AWAY_MILLIS;
    }
    boundMillis = Math.min(2 * boundMillis, LONGEST_MILLIS);
    // Not all processes at the same time.
    return random.nextLong(boundMillis / 2, boundMillis + 1);
  }
}
