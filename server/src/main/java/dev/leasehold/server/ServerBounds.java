package dev.leasehold.server;

import dev.leasehold.fence.IllFormedException;
import java.time.Duration;

/**
 * Limits of one server.
 *
 * @param waiting maximum number of requests that wait for a lease at a time; more are refused
 * @param streams maximum number of open event streams; more are refused
 * @param idle a connection without traffic in either direction is closed after this time
 * @param shutdown time that requests under way have to be answered when the server stops
 */
public record ServerBounds(int waiting, int streams, Duration idle, Duration shutdown) {
  private static final Duration SHORTEST_IDLE = Duration.ofSeconds(15);

  /** The defaults. */
  public static final ServerBounds USUAL =
      new ServerBounds(20_000, 10_000, Duration.ofSeconds(30), Duration.ofSeconds(6));

  public ServerBounds {
    if (waiting < 1 || streams < 1) {
      throw new IllFormedException("at least one request waits, and at least one watches");
    }
    if (idle.compareTo(SHORTEST_IDLE) < 0) {
      throw new IllFormedException(
          "connections are closed after "
              + SHORTEST_IDLE.toSeconds()
              + " s of silence at the soonest: on a quiet stream something moves every 10 s");
    }
    if (shutdown.isNegative()) {
      throw new IllFormedException("a shutdown timeout of " + shutdown + ": it cannot be negative");
    }
  }
}
