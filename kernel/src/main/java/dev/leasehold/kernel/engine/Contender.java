package dev.leasehold.kernel.engine;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Environment;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Scheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One caller's attempt to get a grant.
 *
 * <pre>
 *   idle --ask--&gt; ASKING --Held--&gt; WAITING (a timer, and a hint wakes it early) --&gt; ASKING
 *                   |--no answer--&gt; WAITING (backoff), then the same request again
 *                   |--Granted, late--&gt; CONFIRMING by a renewal before anything is trusted
 *                   '--Granted--&gt; done
 * </pre>
 *
 * All attempts share one request id while one of them may still be unanswered: if an earlier
 * attempt is granted late, the next one learns of it. Giving up abandons the request, so that no
 * grant is left without a holder.
 */
final class Contender {
  /** How far contenders spread after the time that the store told them. */
  private static final long SPREAD_NANOS = Duration.ofMillis(100).toNanos();

  /** How often that spread is doubled while the key's row stays locked. */
  private static final int MOST_DOUBLINGS = 3;

  /** How often to ask for a key that is closed until an operator acts; a hint comes sooner. */
  private static final long CLOSED_POLL_NANOS = Duration.ofSeconds(10).toNanos();

  private static final long MILLI = 1_000_000;

  private final Holdings holdings;
  private final Environment environment;
  private final AcquireRequest wanted;
  private final long deadlineNanos;
  private final boolean waits;
  private final Caller caller;

  private RequestId requestId;
  private long requestSinceNanos;
  private boolean unanswered;
  private boolean maybeGranted;
  private boolean asking;
  private boolean hinted;
  private boolean done;

  /** A grant that ended while the request was in flight. */
  private Optional<Token> over = Optional.empty();

  private int failures;

  /** How often in a row the grant had expired but could not be taken over. */
  private int locked;

  private Optional<Scheduler.Timer> timer = Optional.empty();
  private Optional<Scheduler.Timer> deadline = Optional.empty();
  private Optional<Verdict> last = Optional.empty();
  private Optional<Verdict.Held> winner = Optional.empty();

  Contender(Holdings holdings, AcquireRequest wanted, WaitMode waitMode, Caller caller) {
    this.holdings = holdings;
    this.environment = holdings.environment();
    this.wanted = wanted;
    this.waits = waitMode.waits();
    this.deadlineNanos = environment.now() + waitMode.nanos();
    this.caller = caller;
    this.requestId = holdings.newRequestId();
    this.requestSinceNanos = environment.now();
  }

  /** How long a caller waits, and whether for the key or only for the store's answer. */
  record WaitMode(boolean waits, long nanos) {}

  /** Receives the verdict and, after a win, the events of the lease. */
  record Caller(Verdict.Receiver receiver, HeldLease.Listener listener) {}

  AcquireRequest wanted() {
    return wanted;
  }

  boolean isDone() {
    return done;
  }

  boolean waits() {
    return waits;
  }

  /** Whether the caller wants to know each holder of the key, and not only when it is free. */
  boolean observes() {
    return caller.receiver() instanceof Verdict.Observer;
  }

  /** The deadline applies even while an earlier waiter asks in its place. */
  void start() {
    deadline = Optional.of(environment.after(deadlineNanos - environment.now(), this::giveUp));
  }

  void ask() {
    if (done || asking || holdings.isClosed()) {
      return;
    }
    timer.ifPresent(Scheduler.Timer::cancel);
    timer = Optional.empty();
    asking = true;
    hinted = false;
    over = Optional.empty();
    refreshRequest();
    maybeGranted = true;
    holdings.gatherer().submit(command(), this::receive);
  }

  private Command.Acquire command() {
    return new Command.Acquire(
        wanted.key(), wanted.instance(), requestId, wanted.terms(), wanted.expected());
  }

  /** A request may be repeated for 5 minutes only. An old one that may be granted is abandoned. */
  private void refreshRequest() {
    if (environment.now() - requestSinceNanos > Delivery.LONGEST_NANOS / 2) {
      if (maybeGranted) {
        holdings.abandon(wanted, requestId);
      }
      newRequest();
    }
  }

  private void newRequest() {
    requestId = holdings.newRequestId();
    requestSinceNanos = environment.now();
    maybeGranted = false;
    unanswered = false;
  }

  /** After a win, this contender as other contenders see it. */
  Optional<Verdict.Held> winner() {
    return winner;
  }

  /** Another contender of this process has won: its release, loss or expiry lets this one ask. */
  void waitBehind(Verdict.Held ahead) {
    if (!done && !asking && timer.isEmpty()) {
      last = Optional.of(ahead);
      waitFor(ahead.remainingMillis() * MILLI + environment.upTo(SPREAD_NANOS));
    }
  }

  /** The key has changed: ask now or, if a request is in flight, once more after its answer. */
  void hint() {
    hinted = true;
    if (isIdle()) {
      ask();
    }
  }

  /** The same, unless the answer to the request in flight reports a later grant. */
  void over(Token token) {
    over = over.filter(known -> !token.isAbove(known)).or(() -> Optional.of(token));
    if (isIdle()) {
      ask();
    }
  }

  /** Whether it waits for its timer or for a hint. */
  boolean isIdle() {
    return !asking && timer.isPresent();
  }

  /** Whether the store has told it of a grant that came after this one. */
  boolean knowsOfOneAfter(Token token) {
    return last.orElse(null) instanceof Verdict.Held held && held.token().isAbove(token);
  }

  private void receive(Answer<Outcome> answer) {
    asking = false;
    if (done) {
      // The request was abandoned meanwhile, which also releases any grant of it.
      return;
    }
    if (answer.outcome() instanceof Outcome.Failed failed) {
      unanswered |= failed.certainty() == Certainty.UNKNOWN;
    } else {
      failures = 0;
    }
    // An attempt without an answer may still arrive, and be granted then.
    maybeGranted = unanswered && !answer.outcome().isFinal();
    if (answer.outcome() instanceof Outcome.OfAcquire told) {
      take(told, answer);
    } else {
      maybeGranted = true;
      disbelieve("the store answered an acquire by " + answer.outcome());
    }
  }

  private void take(Outcome.OfAcquire told, Answer<Outcome> answer) {
    switch (told) {
      case Outcome.Granted granted -> granted(granted.grant(), granted.remainingMillis(), answer);
      case Outcome.Held held -> {
        hear(held);
        // An ending that was announced for an earlier grant is older than this answer.
        over = over.filter(token -> !held.token().isAbove(token));
        tryAgainAfter(waitNanos(held));
      }
      case Outcome.Closed closed -> {
        hearAndTell(new Verdict.Closed(closed.reason(), closed.remainingMillis()));
        tryAgainAfter(openingNanos(closed.remainingMillis()));
      }
      case Outcome.Changed changed -> end(new Verdict.Changed());
      case Outcome.Rejected rejected -> end(new Verdict.Rejected(rejected.why()));
      case Outcome.Failed failed -> {
        hearAndTell(new Verdict.Failed(failed.detail()));
        backOff();
      }
      case Outcome.Ended ended -> startOver();
      case Outcome.Abandoned abandoned -> startOver();
    }
  }

  /**
   * If no time remains, a transaction of the store's database locks the key's row, and no hint
   * announces its end. The longer this lasts, the less often the waiter asks.
   */
  private long waitNanos(Outcome.Held held) {
    locked = held.remainingMillis() == 0 ? Math.min(locked + 1, MOST_DOUBLINGS + 1) : 0;
    long spread = locked == 0 ? SPREAD_NANOS : SPREAD_NANOS << (locked - 1);
    return held.remainingMillis() * MILLI + environment.upTo(spread);
  }

  /** An earlier attempt of this request has ended. A new request can be granted. */
  private void startOver() {
    newRequest();
    ask();
  }

  private long openingNanos(OptionalLong remainingMillis) {
    long nanos =
        remainingMillis.isPresent() ? remainingMillis.getAsLong() * MILLI : CLOSED_POLL_NANOS;
    return nanos + environment.upTo(SPREAD_NANOS);
  }

  private void tryAgainAfter(long delayNanos) {
    if (!waits) {
      giveUp();
      return;
    }
    if (hinted || over.isPresent()) {
      ask();
      return;
    }
    waitFor(delayNanos);
  }

  private void backOff() {
    long longest = wanted.timing().backoffNanos(failures);
    failures++;
    waitFor(environment.upTo(longest));
  }

  private void waitFor(long delayNanos) {
    timer = Optional.of(environment.after(delayNanos, this::ask));
  }

  private void granted(Grant grant, long remainingMillis, Answer<Outcome> answer) {
    maybeGranted = true;
    Optional<String> broken = Invariants.brokenByGrant(command(), grant, remainingMillis);
    if (broken.isPresent()) {
      disbelieve(broken.get());
      return;
    }
    Token token = grant.token();
    long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), remainingMillis);
    if (trustUntil - wanted.timing().graceNanos() - environment.now() > 0) {
      win(token, trustUntil);
    } else {
      confirm(token, trustUntil);
    }
  }

  /** The engine does not rely on such an answer: it gives the request up, with any grant of it. */
  private void disbelieve(String broken) {
    Invariants.report(wanted.key(), broken);
    end(new Verdict.Failed(broken));
  }

  /** The answer is too old to leave any trust; only a renewal sent now can confirm the grant. */
  private void confirm(Token token, long trustUntilNanos) {
    asking = true;
    Command renew =
        new Command.Renew(wanted.key(), token, wanted.instance(), wanted.renewalTtlMillis(), 0);
    holdings.gatherer().submit(renew, answer -> confirmed(token, trustUntilNanos, answer));
  }

  private void confirmed(Token token, long trustedUntilNanos, Answer<Outcome> answer) {
    asking = false;
    if (done) {
      return;
    }
    if (answer.outcome() instanceof Outcome.Renewed renewed) {
      Optional<String> broken =
          Invariants.brokenByRemaining(renewed.remainingMillis(), wanted.terms().ttlMillis());
      if (broken.isPresent()) {
        disbelieve(broken.get());
        return;
      }
      long trustUntil = wanted.timing().trustUntil(answer.sentNanos(), renewed.remainingMillis());
      if (trustUntil - wanted.timing().graceNanos() - environment.now() > 0) {
        win(token, trustUntil);
        return;
      }
    }
    if (answer.outcome() instanceof Outcome.Lost(LossReason.Unknown unknown)) {
      SeenGrants.Grant grant = new SeenGrants.Grant(wanted.key(), token);
      holdings.sawUnknown(grant, unknown, trustedUntilNanos);
      if (done) {
        return;
      }
    }
    hearAndTell(new Verdict.Failed("the store answers too slowly for this ttl"));
    backOff();
  }

  private void win(Token token, long trustUntilNanos) {
    long longest = wanted.terms().ttlMillis();
    HeldLease.Claimed claimed = HeldLease.Claimed.of(wanted, token, longest);
    end(holdings.won(claimed, trustUntilNanos, caller.listener()));
  }

  private void hear(Outcome.Held held) {
    Verdict.Held verdict =
        new Verdict.Held(
            held.by(), held.instanceId(), held.token(), held.remainingMillis(), held.lockedBy());
    boolean ours = held.instanceId().equals(wanted.instance().id());
    if (!ours) {
      holdings.heldByAnother(wanted.key(), held.token());
    }
    if (ours && holdings.isKnown(wanted.key(), held.token())) {
      hear(verdict);
    } else {
      hearAndTell(verdict);
    }
  }

  private void hearAndTell(Verdict meanwhile) {
    hear(meanwhile);
    if (caller.receiver() instanceof Verdict.Observer observer) {
      observer.heard(meanwhile);
    }
  }

  /** The verdict if nothing better comes, for this contender and for those behind it. */
  private void hear(Verdict verdict) {
    last = Optional.of(verdict);
    holdings.heard(this, verdict);
  }

  /** The deadline has passed. */
  private void giveUp() {
    end(
        last.or(() -> holdings.lastHeard(this))
            .orElseGet(() -> new Verdict.Failed("the store did not answer in the time there was")));
  }

  /** The caller has cancelled the attempt. */
  void cancel() {
    end(new Verdict.Cancelled());
  }

  void end(Verdict verdict) {
    if (done) {
      return;
    }
    done = true;
    timer.ifPresent(Scheduler.Timer::cancel);
    timer = Optional.empty();
    deadline.ifPresent(Scheduler.Timer::cancel);
    if (verdict instanceof Verdict.Won won) {
      winner =
          Optional.of(
              new Verdict.Held(
                  wanted.terms().info().holder(),
                  wanted.instance().id(),
                  won.lease().token(),
                  wanted.terms().ttlMillis(),
                  Optional.empty()));
    } else if (maybeGranted) {
      holdings.abandon(wanted, requestId);
    }
    holdings.contenderLeft(this);
    caller.receiver().receive(verdict);
  }
}
