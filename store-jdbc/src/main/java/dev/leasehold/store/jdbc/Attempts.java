package dev.leasehold.store.jdbc;

import java.sql.SQLException;

/**
 * Runs something until it is done: again after a serialization failure or a deadlock, and again on
 * a new connection when the old one broke, since whatever may have happened under a request id is
 * only told the second time. For one batch.
 */
final class Attempts {
  private static final int MAX_RESENDS = 2;

  private final Sessions sessions;
  private final Backoff backoff;
  private boolean cutOff;

  Attempts(Sessions sessions, Backoff backoff) {
    this.sessions = sessions;
    this.backoff = backoff;
  }

  /** Whether something may have taken effect that nobody was told of. */
  boolean wasCutOff() {
    return cutOff;
  }

  <T> T run(Work<T> work) throws SQLException {
    int restarts = 0;
    int resends = 0;
    while (true) {
      try {
        return sessions.use(work);
      } catch (SQLException e) {
        switch (Failures.of(e)) {
          case RESTART -> {
            if (restarts == Backoff.MAX_RESTARTS) {
              throw e;
            }
            backoff.beforeRestart(restarts++);
          }
          case CUT_OFF -> {
            cutOff = true;
            if (resends++ == MAX_RESENDS) {
              throw e;
            }
          }
          case LOCKED, UNREACHABLE, REFUSED -> throw e;
        }
      }
    }
  }
}
