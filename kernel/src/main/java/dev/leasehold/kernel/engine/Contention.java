package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The contenders of this process for one key, in order. Only the first asks the store; requests of
 * the others would only load it. While a contender waits, the key is watched.
 *
 * <p>Several processes that want the same key also spare the store. A process whose callers pass
 * the key on among themselves keeps it for a stint, and then steps aside. When a release is
 * announced, a process that has lost such races before waits for a moment, and does not ask if it
 * hears that another one has the key. All this only delays a request: every waiter also has the
 * timer from its last answer.
 */
final class Contention {
  /** The shortest stint: how long callers of one process pass a key on among themselves. */
  private static final long SHORTEST_STINT_NANOS = Duration.ofMillis(50).toNanos();

  /** It is doubled up to this while no other process takes the key at the end of a stint. */
  private static final long LONGEST_STINT_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int OFFERS = 4;

  /** How long to step aside: the hint must reach another process, which must ask. */
  private static final long ASIDE_NANOS = Duration.ofMillis(30).toNanos();

  /** Used now and then, for processes whose store looks for changes only a few times a second. */
  private static final long LONG_ASIDE_NANOS = Duration.ofMillis(240).toNanos();

  private static final int SHORT_ASIDES = 7;

  /** How long a waiter that did not ask, because another has the key, waits for a hint. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  /** How far processes spread after losing one race; doubled with each further one. */
  private static final long FIRST_SPREAD_NANOS = Duration.ofMillis(5).toNanos();

  private static final int MOST_DOUBLINGS = 2;

  /** How far processes spread that only want to know the next holder. */
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

  /** A request that will be sent after a short delay, because this grant is over. */
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
        // Waiters behind a winner of this process know the store's answer without asking.
        lastHeard = winner.<Verdict>map(held -> held).or(() -> lastHeard);
        winner.ifPresentOrElse(waiting.getFirst()::waitBehind, waiting.getFirst()::ask);
      }
    }
  }

  /** A stint goes on as long as no other process gets the key in between. */
  private void won(Token token) {
    beaten = Math.max(0, beaten - 1);
    boolean followsOurs =
        passedOn.filter(ours -> ours.counter() + 1 == token.counter()).isPresent();
    if (!followsOurs) {
      untaken = 0;
      stintNanos = SHORTEST_STINT_NANOS;
      stintSinceNanos = environment.now();
    } else if (isStintOver()) {
      // No process took the key when it was offered; but one that wants it may have asked too late.
      untaken++;
      stintNanos = untaken < OFFERS ? stintNanos : Math.min(LONGEST_STINT_NANOS, 2 * stintNanos);
      stintSinceNanos = environment.now();
    }
  }

  private boolean isStintOver() {
    return environment.now() - stintSinceNanos >= stintNanos;
  }

  /** The key may be free. */
  void hint() {
    forgetPutOff();
    if (!waiting.isEmpty()) {
      waiting.getFirst().hint();
    }
  }

  /** A holder of this process is about to give the key back. */
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

  /** The store has announced that this grant is over. */
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
   * Another process has the key, so a request that was delayed after an earlier end would be told
   * so. But the waiter's timer is that of an earlier grant, and this one may end much sooner,
   * without a hint.
   */
  void granted(Token token) {
    if (putOff.isPresent() && token.isAbove(putOff.get().over())) {
      askIn(SILENCE_NANOS + environment.upTo(SILENCE_NANOS), putOff.get().over());
    }
  }

  /**
   * Another grant has followed this one, after its expiry or by hand-over. The key is not free, so
   * only waiters that want to know the new holder ask; and one of them may be the heir.
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

  /** The event of a timer may come although the timer was cancelled. */
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

  /** The answer to the first waiter holds for all: the others would have got the same. */
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
