package dev.leasehold.examples.gateway;

import dev.leasehold.blocks.leader.Term;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when the driver has not known a sandbox, as observed in this term. Observations of an
 * earlier term do not count: another leader may have seen the sandbox again meanwhile.
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

  /** Whether the sandbox was absent for the whole grace, which begins at the first call. */
  boolean isOverdue(String id) {
    long now = ticker.nanos();
    return now - sinceNanos.computeIfAbsent(id, unused -> now) >= grace.toNanos();
  }
}
