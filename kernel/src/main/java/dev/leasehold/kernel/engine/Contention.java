package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Who in this process waits for one key, in order. Only the first asks the store; the others would
 * only crowd it. While somebody waits, the key is watched.
 *
 * <p>Processes that want the same key do not crowd the store either. One whose callers pass it on
 * among themselves keeps it for a stint, and then steps aside. Of those that hear of a release,
 * each that was beaten before waits for a moment, and lets it be when it hears that somebody has
 * the key. All that only puts an ask off: whoever waits also holds the timer of what it was told
 * last.
 */
final class Contention {
  /** For so long the callers of one process pass a key on before another process may have it. */
  private static final long SHORTEST_STINT_NANOS = Duration.ofMillis(50).toNanos();

  /** It is doubled up to this when nobody has wanted the key so many times. */
  private static final long LONGEST_STINT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int OFFERS = 4;

  /** For another process to hear of the release, and to ask. */
  private static final long ASIDE_NANOS = Duration.ofMillis(30).toNanos();

  /** Now and then for one that only looks for changes a few times a second, as some stores do. */
  private static final long LONG_ASIDE_NANOS = Duration.ofMillis(240).toNanos();

  private static final int SHORT_ASIDES = 7;

  /** Whoever did not ask, since another has the key, asks for how long if it hears no more. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  /** How far processes spread that were beaten once; twice that for each time more. */
  private static final long FIRST_SPREAD_NANOS = Duration.ofMillis(5).toNanos();

  private static final int MOST_DOUBLINGS = 2;

  /** How far processes spread that want to know who has followed. */
  private static final long OBSERVING_NANOS = Duration.ofMillis(50).toNanos();

  private final Environment environment;
  private final Deque<Contender> waiting = new ArrayDeque<>();
  private final Subscription watch;
  private Optional<Verdict> lastHeard = Optional.empty();
  private Optional<PutOff> putOff = Optional.empty();
  private long stintSinceNanos;
  private long stintNanos = SHORTEST_STINT_NANOS;
  private int untaken;
  private int asides;
  private Optional<Token> passedOn = Optional.empty();
  private int putOffs;
  private boolean prompted;
  private int beaten;

  Contention(Environment environment, Subscription watch) {
    this.environment = environment;
    this.watch = watch;
    this.stintSinceNanos = environment.now();
  }

  /** An ask that is to come in a moment, since that grant is over. */
  private record PutOff(Token over, Scheduler.Timer timer) {}

  void join(Contender contender) {
    waiting.addLast(contender);
    if (waiting.getFirst() == contender) {
      contender.ask();
    }
  }

  void leave(Contender contender) {
    boolean wasFirst = !waiting.isEmpty() && waiting.getFirst() == contender;
    waiting.remove(contender);
    if (wasFirst) {
      forgetPutOff();
      Optional<Verdict.Held> winner = contender.winner();
      winner.ifPresent(held -> won(held.token()));
      if (!waiting.isEmpty()) {
        // Who stands behind a winner of this process knows what the store would say.
        lastHeard = winner.<Verdict>map(held -> held).or(() -> lastHeard);
        winner.ifPresentOrElse(waiting.getFirst()::waitBehind, waiting.getFirst()::ask);
      }
    }
  }

  /** A stint goes on while nobody else has the key in between. */
  private void won(Token token) {
    beaten = Math.max(0, beaten - 1);
    boolean followsOurs =
        passedOn.filter(ours -> ours.counter() + 1 == token.counter()).isPresent();
    if (!followsOurs) {
      untaken = 0;
      stintNanos = SHORTEST_STINT_NANOS;
      stintSinceNanos = environment.now();
    } else if (isStintOver()) {
      // It was offered, and nobody took it; but whoever wants it may have come too late.
      untaken++;
      stintNanos = untaken < OFFERS ? stintNanos : Math.min(LONGEST_STINT_NANOS, 2 * stintNanos);
      stintSinceNanos = environment.now();
    }
  }

  private boolean isStintOver() {
    return environment.now() - stintSinceNanos >= stintNanos;
  }

  /** The key may be free, for all that is known. */
  void hint() {
    forgetPutOff();
    if (!waiting.isEmpty()) {
      waiting.getFirst().hint();
    }
  }

  /** A holder of this process gives it back right now. */
  void passOn(Token token) {
    passedOn = Optional.of(token);
    if (waiting.isEmpty() || isPutOffFor(token)) {
      return;
    }
    if (isStintOver() && waiting.getFirst().isIdle()) {
      askIn(asideNanos(), token);
    } else {
      hint();
    }
  }

  private long asideNanos() {
    asides = untaken == 0 ? 0 : asides + 1;
    return asides % (SHORT_ASIDES + 1) == SHORT_ASIDES ? LONG_ASIDE_NANOS : ASIDE_NANOS;
  }

  /** That grant is over, as is heard from the store. */
  void over(Token token) {
    if (waiting.isEmpty() || waiting.getFirst().knowsOfOneAfter(token) || isPutOffFor(token)) {
      return;
    }
    if (beaten > 0 && waiting.getFirst().isIdle()) {
      askIn(environment.upTo(FIRST_SPREAD_NANOS << beaten), token);
    } else {
      forgetPutOff();
      prompt(token);
    }
  }

  private void prompt(Token over) {
    prompted = waiting.getFirst().isIdle();
    waiting.getFirst().over(over);
  }

  /**
   * Somebody has it: whoever was about to ask because of an earlier end would be told so. But the
   * timer it holds is that of an earlier grant, and this one may end much sooner, unheard.
   */
  void granted(Token token) {
    if (putOff.isPresent() && token.isAbove(putOff.get().over())) {
      askIn(SILENCE_NANOS + environment.upTo(SILENCE_NANOS), putOff.get().over());
    }
  }

  /**
   * Somebody has followed that grant, after its expiry or as its heir. Nobody can have the key, so
   * only those ask who want to know who it is; and one of them may be the heir.
   */
  void superseded(Token token) {
    if (isObserverBehind(token)) {
      environment.after(environment.upTo(OBSERVING_NANOS), () -> observeAfter(token));
    }
  }

  private void observeAfter(Token token) {
    if (isObserverBehind(token)) {
      waiting.getFirst().hint();
    }
  }

  private boolean isObserverBehind(Token token) {
    return !waiting.isEmpty()
        && waiting.getFirst().observes()
        && !waiting.getFirst().knowsOfOneAfter(token);
  }

  private boolean isPutOffFor(Token token) {
    return putOff.isPresent() && !token.isAbove(putOff.get().over());
  }

  private void askIn(long delayNanos, Token over) {
    forgetPutOff();
    int number = ++putOffs;
    putOff =
        Optional.of(new PutOff(over, environment.after(delayNanos, () -> askNow(number, over))));
  }

  /** A timer may be cancelled too late to keep its event from coming. */
  private void askNow(int number, Token over) {
    if (putOff.isPresent() && number == putOffs) {
      putOff = Optional.empty();
      if (!waiting.getFirst().knowsOfOneAfter(over)) {
        prompt(over);
      }
    }
  }

  private void forgetPutOff() {
    putOff.ifPresent(ask -> ask.timer().cancel());
    putOff = Optional.empty();
  }

  /** What the first was told holds for all: they would have been told the same. */
  void heard(Contender contender, Verdict verdict) {
    if (!waiting.isEmpty() && waiting.getFirst() == contender) {
      lastHeard = Optional.of(verdict);
      if (prompted && verdict instanceof Verdict.Held) {
        beaten = Math.min(beaten + 1, MOST_DOUBLINGS);
      }
      prompted = false;
    }
  }

  Optional<Verdict> lastHeard() {
    return lastHeard;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  void close() {
    forgetPutOff();
    watch.close();
  }
}
