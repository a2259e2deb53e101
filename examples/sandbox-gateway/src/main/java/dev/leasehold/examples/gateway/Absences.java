package dev.leasehold.examples.gateway;

import dev.leasehold.blocks.leader.Term;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when the driver has not known a sandbox, as seen in this term. What was seen in an earlier
 * one does not count: it may have been there again meanwhile, while somebody else looked.
 */
final class Absences {
  private final Map<String, Long> sinceNanos = new ConcurrentHashMap<>();
  private final Ticker ticker;
  private final Duration grace;
  private Optional<Token> term = Optional.empty();

  Absences(Ticker ticker, Duration grace) {
    this.ticker = ticker;
    this.grace = grace;
  }

  void of(Term current) {
    Optional<Token> now = Optional.of(current.token());
    if (!term.equals(now)) {
      sinceNanos.clear();
      term = now;
    }
  }

  void seen(String id) {
    sinceNanos.remove(id);
  }

  /** Whether it was absent for the whole grace; if this is the first time, that begins now. */
  boolean isOverdue(String id) {
    long now = ticker.nanos();
    return now - sinceNanos.computeIfAbsent(id, unused -> now) >= grace.toNanos();
  }
}
