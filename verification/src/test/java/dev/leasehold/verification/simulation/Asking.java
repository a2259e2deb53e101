package dev.leasehold.verification.simulation;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.engine.Timing;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** How one process contends for one key, as its wire shows: by when it must ask again. */
final class Asking {
  /** How long a command may stay unanswered before it counts as lost. */
  static final long PATIENCE = 5 * World.SECOND;

  /** For timers that come late, tickers that run slow, and messages that take their time. */
  static final long SLACK = 400 * World.MILLI;

  static final long LONGEST_BACKOFF = 10 * World.SECOND;
  private static final long SPREAD = 100 * World.MILLI;

  /** Whoever is told of a row that stays locked asks less and less often, down to this. */
  private static final long LONGEST_SPREAD = 8 * SPREAD;

  /** Whoever let an ask be, since another has the key, asks after so much silence. */
  private static final long SILENCE = 2 * World.SECOND;

  static final long CLOSED_POLL = 10 * World.SECOND;

  /** Actors that wait for the key. */
  int waiting;

  /** Actors that have asked, with or without waiting. */
  int interested;

  /** Heirs that have not taken over yet, or never will. */
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

  /** When the first began to wait, or the last left. */
  private long waitChangedNanos = Long.MIN_VALUE / 2;

  /** What happened before a watch stood is a hint too, which it has to give. */
  private boolean owesAHint;

  private Optional<Token> heard = Optional.empty();

  /** The last grant of another, or of another of the process, that it was told of. */
  private Optional<Token> told = Optional.empty();

  /** The last grant that it heard of as over since it asked, and by when it would ask without. */
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

  /** Those behind it know for how long: unless they are woken, they ask when that is over. */
  void won(long now, Token token, long ttlNanos) {
    // What was hinted at meanwhile was the winner's to look after.
    hinted = false;
    told = Optional.of(token);
    if (waiting > 0) {
      askByNanos = Math.max(askByNanos, now + ttlNanos + ttlNanos / 50 + SPREAD + SLACK);
    }
  }

  /** A command of a key waits until the one before it has been answered or counts as lost. */
  long behind(long now) {
    return unanswered && now - unansweredSinceNanos < PATIENCE ? PATIENCE : 0;
  }

  void sent(long now, boolean ask, Timing timing) {
    if (unanswered && now - unansweredSinceNanos > PATIENCE - PATIENCE / 50) {
      // What was to be asked behind it was found lost with it, and is asked after a backoff.
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
      askByNanos = waiting == 0 ? Long.MAX_VALUE : now + PATIENCE + backoff(timing) + SLACK;
    }
  }

  private static long backoff(Timing timing) {
    return Math.min(LONGEST_BACKOFF, timing.ttlNanos() / 6);
  }

  /** What was sent then is answered. */
  void answered(long sentNanos) {
    unanswered = unanswered && sentNanos != unansweredSinceNanos;
  }

  /** Since when nobody has cared for a grant. */
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

  /** Several ask, or somebody leaves an ask behind that is still to be abandoned. */
  void noteCrowd(long now) {
    lastCrowdedNanos = interested + heirs > 1 || isUnanswered() ? now : lastCrowdedNanos;
  }

  /** When several last asked, or somebody left an ask behind. */
  long lastCrowdedNanos() {
    return lastCrowdedNanos;
  }

  /**
   * Whether what is asked for now may meet what another of the process has asked for.
   *
   * @param sleptNanos for how long its machine has slept since: so much later an ask is found lost
   */
  boolean isCrowded(long sleptNanos) {
    return interested + heirs > 1 || askSentNanos - lastCrowdedNanos < 2 * PATIENCE + sleptNanos;
  }

  /** Whether something was sent and not answered: it may have to be found lost first. */
  boolean isUnanswered() {
    return askUnanswered || unanswered;
  }

  /** When it last asked. */
  long askSentNanos() {
    return askSentNanos;
  }

  /** The answer to an ask was: that one has it, for this long. */
  void toldOf(Token token, long now, long nanos) {
    told = Optional.of(token);
    over = over.filter(heard -> !token.isAbove(heard));
    toldToWait(now, nanos);
  }

  /** The answer to an ask was: not for this long. */
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

  /** When the first began to wait, or the last left. */
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

  /** It heard that this grant is over; that is no news to who knows of a later one. */
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
   * It heard that somebody has it: because of earlier ends it need only ask when it has heard
   * nothing more for a while.
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
