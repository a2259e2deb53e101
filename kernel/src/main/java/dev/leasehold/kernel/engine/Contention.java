package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Who in this process waits for one key, in order. Only the first asks the store; the others would
 * only crowd it. While somebody waits, the key is watched.
 */
final class Contention {
  private final Deque<Contender> waiting = new ArrayDeque<>();
  private final Subscription watch;
  private Optional<Verdict> lastHeard = Optional.empty();

  Contention(Subscription watch) {
    this.watch = watch;
  }

  void join(Contender contender) {
    waiting.addLast(contender);
    if (waiting.getFirst() == contender) {
      contender.ask();
    }
  }

  void leave(Contender contender) {
    boolean wasFirst = !waiting.isEmpty() && waiting.getFirst() == contender;
    waiting.remove(contender);
    if (wasFirst && !waiting.isEmpty()) {
      Optional<Verdict.Busy> winner = contender.winner();
      // Who stands behind a winner of this process knows what the store would say.
      lastHeard = winner.<Verdict>map(busy -> busy).or(() -> lastHeard);
      winner.ifPresentOrElse(waiting.getFirst()::waitBehind, waiting.getFirst()::ask);
    }
  }

  /** The key may be free. */
  void hint() {
    if (!waiting.isEmpty()) {
      waiting.getFirst().hint();
    }
  }

  /** What the first was told holds for all: they would have been told the same. */
  void heard(Contender contender, Verdict verdict) {
    if (!waiting.isEmpty() && waiting.getFirst() == contender) {
      lastHeard = Optional.of(verdict);
    }
  }

  Optional<Verdict> lastHeard() {
    return lastHeard;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void close() {
    watch.close();
  }
}
