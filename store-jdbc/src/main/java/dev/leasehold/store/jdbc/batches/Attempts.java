package dev.leasehold.store.jdbc.batches;

import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.Failures;
import java.sql.SQLException;

/**
 * Runs the work of one batch until it is done. It retries after a serialization failure or a
 * deadlock, and on a new connection if the old one broke: a command that may have taken effect
 * before gets its answer when it is sent again under the same request id.
 */
public final class Attempts {
  private static final int MAX_RESENDS = 2;
  private static final Ticker TICKER = Ticker.system();

  private final ConnectionSource connections;
  private final Backoff backoff;
  private final long startNanos;
  private boolean cutOff;

  public Attempts(ConnectionSource connections, Backoff backoff) {
    this(connections, backoff, TICKER.nanos(), false);
  }

  private Attempts(ConnectionSource connections, Backoff backoff, long startNanos, boolean cutOff) {
    this.connections = connections;
    this.backoff = backoff;
    this.startNanos = startNanos;
    this.cutOff = cutOff;
  }

  /** The same batch on connections of another source, from its present state. */
  public Attempts on(ConnectionSource others) {
    return new Attempts(others, backoff, startNanos, cutOff);
  }

  /** How long ago the batch began. */
  public long ageNanos() {
    return TICKER.nanos() - startNanos;
  }

  /** Whether the caller has been told by now that no answer came. */
  private boolean isTooLate() {
    return ageNanos() > AnswerTimes.STORE.toNanos();
  }

  /** Whether a command may have taken effect without an answer to its caller. */
  public boolean wasCutOff() {
    return cutOff;
  }

  /** The work was carried out, but its answer cannot be given to the caller. */
  public void answerWasLost() {
    cutOff = true;
  }

  public <T> T run(ConnectionWork<T> work) throws SQLException {
    int restarts = 0;
    int resends = 0;
    while (true) {
      try {
        return connections.use(work);
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
