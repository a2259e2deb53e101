package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.connections.Work;
import java.sql.SQLException;

/**
 * Runs something until it is done: again after a serialization failure or a deadlock, and again on
 * a new connection when the old one broke, since whatever may have happened under a request id is
 * only told the second time. For one batch.
 */
public final class Attempts {
  private static final int MAX_RESENDS = 2;
  private static final Ticker TICKER = Ticker.system();

  private final Sessions sessions;
  private final Backoff backoff;
  private final long startNanos;
  private boolean cutOff;

  public Attempts(Sessions sessions, Backoff backoff) {
    this(sessions, backoff, TICKER.nanos(), false);
  }

  private Attempts(Sessions sessions, Backoff backoff, long startNanos, boolean cutOff) {
    this.sessions = sessions;
    this.backoff = backoff;
    this.startNanos = startNanos;
    this.cutOff = cutOff;
  }

  /** The same batch on other connections, from where it has come to. */
  public Attempts on(Sessions others) {
    return new Attempts(others, backoff, startNanos, cutOff);
  }

  /** How long ago the batch was begun. */
  public long ageNanos() {
    return TICKER.nanos() - startNanos;
  }

  /** Whether whoever asked has been told by now that no answer came. */
  private boolean isTooLate() {
    return ageNanos() > Lane.PATIENCE.toNanos();
  }

  /** Whether something may have taken effect that nobody was told of. */
  public boolean wasCutOff() {
    return cutOff;
  }

  /** It was carried out, but whoever asked cannot be told what came of it. */
  public void answerWasLost() {
    cutOff = true;
  }

  public <T> T run(Work<T> work) throws SQLException {
    int restarts = 0;
    int resends = 0;
    while (true) {
      try {
        return sessions.use(work);
      } catch (SQLException e) {
        switch (Failures.of(e)) {
          case RESTART -> {
            cutOff |= Failures.isAmbiguous(e);
            if (restarts == Backoff.MAX_RESTARTS || isTooLate()) {
              throw e;
            }
            backoff.beforeRestart(restarts++);
          }
          case CUT_OFF -> {
            cutOff = true;
            if (resends++ == MAX_RESENDS || isTooLate()) {
              throw e;
            }
          }
          case LOCKED, UNREACHABLE, REFUSED -> throw e;
        }
      }
    }
  }
}
