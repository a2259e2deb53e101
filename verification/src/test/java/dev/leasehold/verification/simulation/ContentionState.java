package dev.leasehold.verification.simulation;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.model.RequestId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** How one process contends for one key, as its wire shows: by when it must ask again. */
final class ContentionState {
  /** How long a command may stay unanswered before it counts as lost. */
  static final long TIMEOUT = 5 * World.SECOND;

  /** Allows for late timers, slow tickers, and slow messages. */
  static final long SLACK = 400 * World.MILLI;

  static final long LONGEST_BACKOFF = 10 * World.SECOND;
  private static final long SPREAD = 100 * World.MILLI;

  /**
   * A waiter that is told that a row stays locked asks less and less often, up to this interval.
   */
  private static final long LONGEST_SPREAD = 8 * SPREAD;

  /**
   * A waiter that dropped its request because another has the key asks again after this time
   * without a hint.
   */
  private static final long SILENCE = 2 * World.SECOND;

  static final long CLOSED_POLL = 10 * World.SECOND;

  /** Actors that wait for the key. */
  int waiting;

  /** Actors that have asked, with or without waiting. */
  int interested;

  /** Heirs that have not taken over, yet or at all. */
  int heirs;

  int badInARow;
  long lastBadNanos = Long.MIN_VALUE / 2;
  private long orphanSinceNanos = Long.MAX_VALUE;
  private Optional<Token> orphan = Optional.empty();
  final Set<RequestId> abandons = new HashSet<>();

  private long askByNanos = Long.MAX_VALUE;
  private long unansweredSinceNanos = Long.MIN_VALUE / 2;
  private long askSentNanos;
  private long lastCrowdedNanos = Long.MIN_VALUE / 2;
  private long backoffUntilNanos = Long.MIN_VALUE / 2;
  private boolean unanswered;
  private boolean askUnanswered;
  private boolean hinted;

  /** When the first actor began to wait, or the last one left. */
  private long waitChangedNanos = Long.MIN_VALUE / 2;

  /** Whether the watch still owes the hint for changes before it began. */
  private boolean owesAHint;

  private Optional<Token> heard = Optional.empty();

  /** The last grant of another caller, in this process or elsewhere, that it was told of. */
  private Optional<Token> told = Optional.empty();

  /** The last grant whose end was announced since it asked. */
  private Optional<Token> over = Optional.empty();

  private long askUnhintedByNanos = Long.MAX_VALUE;

  long askByNanos() {
    return askByNanos;
  }

  void joined(long now) {
    waiting++;
    if (waiting == 1) {
      waitChangedNanos = now;
      askByNanos = now + behind(now) + SLACK;
    }
  }

  void left(long now) {
    waiting--;
    waitChangedNanos = waiting == 0 ? now : waitChangedNanos;
    askByNanos = waiting == 0 ? Long.MAX_VALUE : Math.max(askByNanos, now + behind(now) + SLACK);
  }

  /** The other waiters know its ttl: unless a hint wakes them, they ask when that is over. */
  void won(long now, Token token, long ttlNanos) {
    // A hint during the request concerned the winner.
    hinted = false;
    told = Optional.of(token);
    if (waiting > 0) {
      askByNanos = Math.max(askByNanos, now + ttlNanos + ttlNanos / 50 + SPREAD + SLACK);
    }
  }

  /** A command of a key waits until the one before it has been answered or counts as lost. */
  long behind(long now) {
    return unanswered && now - unansweredSinceNanos < TIMEOUT ? TIMEOUT : 0;
  }

  void sent(long now, boolean ask, Timing timing) {
    if (unanswered && now - unansweredSinceNanos > TIMEOUT - TIMEOUT / 50) {
      // The request behind it counts as lost with it, and is repeated after a backoff.
      backoffUntilNanos = now + LONGEST_BACKOFF;
      askByNanos = Math.max(askByNanos, backoffUntilNanos + SLACK);
    }
    unanswered = true;
    unansweredSinceNanos = now;
    if (ask) {
      askUnanswered = true;
      askSentNanos = now;
      hinted = false;
      over = Optional.empty();
      askByNanos = waiting == 0 ? Long.MAX_VALUE : now + TIMEOUT + backoff(timing) + SLACK;
    }
  }

  private static long backoff(Timing timing) {
    return Math.min(LONGEST_BACKOFF, timing.ttlNanos() / 6);
  }

  /** The command that was sent at this time is answered. */
  void answered(long sentNanos) {
    unanswered = unanswered && sentNanos != unansweredSinceNanos;
  }

  /** Since when no process has claimed this grant. */
  long orphanedSince(Token token, long now) {
    if (!orphan.equals(Optional.of(token))) {
      orphan = Optional.of(token);
      orphanSinceNanos = now;
    }
    return orphanSinceNanos;
  }

  void noteOwned() {
    orphan = Optional.empty();
  }

  /** Several actors ask, or one has left a request behind that must still be abandoned. */
  void noteCrowd(long now) {
    lastCrowdedNanos = interested + heirs > 1 || isUnanswered() ? now : lastCrowdedNanos;
  }

  /** When several actors last asked, or one left a request behind. */
  long lastCrowdedNanos() {
    return lastCrowdedNanos;
  }

  /**
   * Whether a request now may meet one that another actor of the process has sent.
   *
   * @param sleptNanos for how long its machine has slept since: a lost request is noticed that much
   *     later
   */
  boolean isCrowded(long sleptNanos) {
    return interested + heirs > 1 || askSentNanos - lastCrowdedNanos < 2 * TIMEOUT + sleptNanos;
  }

  /** Whether a command is unanswered: it may have to count as lost first. */
  boolean isUnanswered() {
    return askUnanswered || unanswered;
  }

  /** When it last asked. */
  long askSentNanos() {
    return askSentNanos;
  }

  /** The answer was that this grant is current, for this long. */
  void toldOf(Token token, long now, long nanos) {
    told = Optional.of(token);
    over = over.filter(heard -> !token.isAbove(heard));
    toldToWait(now, nanos);
  }

  /** The answer was to wait for this long. */
  void toldToWait(long now, long nanos) {
    askUnanswered = false;
    if (waiting > 0) {
      long spread = nanos == 0 ? LONGEST_SPREAD : SPREAD;
      askByNanos =
          hinted || over.isPresent() ? now + SLACK : now + nanos + nanos / 50 + spread + SLACK;
    }
  }

  void failed(long now, Timing timing) {
    askUnanswered = false;
    if (waiting > 0) {
      askByNanos = now + backoff(timing) + SLACK;
    }
  }

  void mayBeIgnored(long now, Timing timing) {
    askByNanos = Math.max(askByNanos, now + backoff(timing) + SLACK);
  }

  /** When the first actor began to wait, or the last one left. */
  long waitChangedNanos() {
    return waitChangedNanos;
  }

  void watchBegan() {
    owesAHint = true;
  }

  boolean owesAHint() {
    return owesAHint;
  }

  void hinted(long now) {
    owesAHint = false;
    hinted = waiting > 0;
    mustAsk(now);
  }

  /** The end of this grant was announced; a process that knows a later one ignores that. */
  void over(long now, Token token) {
    if (told.filter(known -> known.isAbove(token)).isEmpty()
        && heard.filter(known -> known.isAbove(token)).isEmpty()) {
      if (over.isEmpty()) {
        askUnhintedByNanos = askByNanos;
      }
      over = over.filter(heard -> !token.isAbove(heard)).or(() -> Optional.of(token));
      mustAsk(now);
    }
  }

  /**
   * A new grant was announced: after earlier ends the waiter need only ask when no hint has come
   * for a while.
   */
  void granted(long now, Token token) {
    heard = heard.filter(known -> !token.isAbove(known)).or(() -> Optional.of(token));
    if (!hinted && !askUnanswered && over.filter(token::isAbove).isPresent()) {
      long afterSilence = Math.min(askUnhintedByNanos, now + SILENCE + SLACK);
      askByNanos = Math.max(askByNanos, afterSilence);
    }
  }

  private void mustAsk(long now) {
    if (waiting > 0 && !askUnanswered) {
      long from = Math.max(now + behind(now), backoffUntilNanos);
      askByNanos = Math.min(askByNanos, from + SLACK);
    }
  }
}
