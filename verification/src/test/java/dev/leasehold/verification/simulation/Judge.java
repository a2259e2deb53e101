package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * Checks every event from the outside, with the true state of the store: how long a holder trusts
 * its lease, when it is told of its end, whether it asks and renews as it should.
 */
final class Judge {
  private static final long LATE = SimProcess.LATEST_TIMER + 20 * World.MILLI;
  static final long SWEEP_NANOS = World.SECOND / 2;

  /** A watch begins and ends on threads of its own. */
  private static final long LATEST_WATCH = SimProcess.LATEST_ASIDE + World.SECOND / 2;

  private final World world;
  private final SimStore store;
  private final List<SimProcess> lives;
  private final RollbackChecks rollbackChecks;

  Judge(World world, SimStore store, List<SimProcess> lives) {
    this.world = world;
    this.store = store;
    this.lives = lives;
    this.rollbackChecks = new RollbackChecks(world, store);
  }

  /** The checks about rollbacks. */
  RollbackChecks rollbackChecks() {
    return rollbackChecks;
  }

  /** After every event. */
  void look() {
    for (SimProcess process : lives) {
      if (process.isRunning()) {
        for (HeldLeaseView view : process.open) {
          lookAt(view);
        }
        if (!world.plan().leaps()) {
          process.contentions.forEach((key, contention) -> lookAt(process, key, contention));
        }
      }
    }
  }

  /** I6 and I9, at this moment. */
  void lookAt(HeldLeaseView view) {
    long trust = view.trustNanos();
    if (trust > 0 && (view.loss.isPresent() || view.closed)) {
      world.broken("I9", view + " is trusted though it is lost or given back");
    }
    if (trust > 0 && view.isOutOfTime()) {
      world.broken("at most", view + " is trusted though its time is up");
    }
    if (world.plan().leaps()) {
      return;
    }
    if (trust > 0) {
      Optional<String> doubt = store.whyNotTrusted(view.key(), view.token());
      doubt.ifPresent(
          why ->
              world.broken(
                  "I6", view + " is trusted for " + trust / World.MILLI + " ms more, but " + why));
    }
    long slept = view.process().sleptSince(view.goodSinceNanos - timersNanos(view));
    boolean back = view.process().backNanos() + LATE < world.now() - slept;
    if (back && !view.closed) {
      lookAtTimes(view);
    }
  }

  /** How long a timer of the lease may have been waiting. */
  private static long timersNanos(HeldLeaseView view) {
    return view.longestNanos();
  }

  private void lookAtTimes(HeldLeaseView view) {
    SimProcess process = view.process();
    long slept = process.sleptSince(view.goodSinceNanos - timersNanos(view));
    long over = process.ticks() - view.trustUntilTicks - slept;
    long grace = view.wanted().timing().graceNanos();
    if (over > LATE && view.loss.isEmpty()) {
      world.broken("I9", view + " was not told that it is lost, though its trust ran out");
    }
    if (over + grace > LATE && !view.endingTold) {
      world.broken("I9", view + " was not told that it ends, though its grace began");
    }
    StallLimit limit = view.wanted().terms().stallLimit();
    // A rollback also takes back the recorded progress, so the next report counts as progress
    // again.
    long still = world.now() - Math.max(view.progressedNanos, store.rolledBackNanos());
    long bound = (limit.millis() + view.wanted().terms().ttlMillis()) * World.MILLI;
    if (limit.millis() > 0
        && view.loss.isEmpty()
        && still > bound + bound / 50 + World.SECOND + slept + store.steppedBackNanos()) {
      world.broken("I10", view + " stands still and is not lost");
    }
  }

  /** I11: a waiter asks for the key when it was told to, or when a hint woke it. */
  private void lookAt(SimProcess process, LeaseKey key, ContentionState contention) {
    if (contention.waiting == 0 || world.now() <= contention.askByNanos()) {
      return;
    }
    long bad =
        process.lastBadCommandNanos
            + 2 * ContentionState.TIMEOUT
            + ContentionState.LONGEST_BACKOFF
            + ContentionState.SLACK;
    long lost =
        contention.isUnanswered() ? ContentionState.TIMEOUT + ContentionState.LONGEST_BACKOFF : 0;
    long back = process.backNanos() + lost + ContentionState.SLACK;
    long by = Math.max(contention.askByNanos(), Math.max(bad, back));
    // Commands that were pending behind failed ones continue to wait after a pause.
    long away = process.awaySince(process.lastBadCommandNanos);
    boolean overdue = world.now() > by && world.now() > bad + away;
    if (overdue && world.now() > by + process.sleptSince(contention.askSentNanos())) {
      world.broken("I11", process + " waits for " + key + " but does not ask for it any more");
    }
  }

  void sending(SimProcess process, SimWire.Lane lane, List<Command> batch) {
    for (Command command : batch) {
      ContentionState contention = process.contention(command.key());
      if (lane == SimWire.Lane.COMMANDS) {
        contention.sent(world.now(), command instanceof Command.Acquire, timingOf(command));
      }
      switch (command) {
        case Command.Acquire acquire -> rollbackChecks.contention(process, acquire);
        case Command.Renew renew -> sendingRenewal(process, renew);
        case Command.Release release -> {
          contention.abandons.add(release.requestId());
          requireClosed(process, release.key(), release.token());
        }
        case Command.HandOver over -> requireClosed(process, over.key(), over.token());
        case Command.Abandon abandon -> contention.abandons.add(abandon.requestId());
        default -> {}
      }
    }
  }

  private static Timing timingOf(Command command) {
    long ttl =
        command instanceof Command.Acquire acquire
            ? acquire.terms().ttlMillis() * World.MILLI
            : World.SECOND;
    return new Timing(ttl, ttl / 3, ttl / 10, 0, Timing.WITHOUT_END);
  }

  private void sendingRenewal(SimProcess process, Command.Renew renew) {
    for (HeldLeaseView view : process.views) {
      if (view.token().equals(renew.token()) && view.key().equals(renew.key())) {
        view.attempts++;
        boolean doubled = store.isDoubled(renew.key(), renew.token());
        if (renew.progress() != view.progress && !doubled) {
          world.broken("I10", view + " was renewed without the progress it reported");
        }
      }
    }
  }

  /** Nothing is given back while its work still runs. */
  private void requireClosed(SimProcess process, LeaseKey key, Token token) {
    process.owed.remove(key + " under " + token);
    for (HeldLeaseView view : process.views) {
      if (!isOf(view, key, token)) {
        continue;
      }
      if (!view.closed && !store.isDoubled(key, token)) {
        world.broken("release", view + " was given back while its work still ran");
      }
      if (view.kept && view.keptNanos() > 0) {
        world.broken("at least", view + " was given back sooner than it was to be kept");
      }
    }
  }

  /** A message that was sent at this time went wrong. */
  void wentWrong(SimProcess process, SimWire.Lane lane, Command command, long sentNanos) {
    if (lane == SimWire.Lane.COMMANDS) {
      ContentionState contention = process.contention(command.key());
      contention.badInARow++;
      contention.lastBadNanos = world.now();
      process.lastBadCommandNanos = world.now();
    } else if (command instanceof Command.Renew renew) {
      for (HeldLeaseView view : process.views) {
        if (view.token().equals(renew.token()) && view.key().equals(renew.key())) {
          view.failed.add(sentNanos);
        }
      }
    }
  }

  /**
   * A command was answered Failed because its row is locked, which may delay its own key but no
   * other.
   */
  void locked(SimProcess process, Command command) {
    if (command instanceof Command.Renew) {
      wentWrong(process, SimWire.Lane.RENEWALS, command, world.now());
    } else {
      ContentionState contention = process.contention(command.key());
      contention.badInARow++;
      contention.lastBadNanos = world.now();
    }
  }

  /** A renewal hangs because another one in its batch does; this excuses it only once. */
  void hung(SimProcess process, Command command, long sentNanos, Command cause) {
    for (HeldLeaseView view : process.views) {
      if (view.key().equals(command.key()) && view.hungBy.add(cause)) {
        view.failed.add(sentNanos);
      }
    }
  }

  /** An answer is about to be handled. */
  void answered(SimProcess process, SimWire.Sent sent, Command command, Outcome outcome) {
    boolean definite = !(outcome instanceof Outcome.Failed);
    if (command instanceof Command.Renew renew) {
      renewalAnswered(process, sent, renew, outcome);
    }
    if (sent.lane() == SimWire.Lane.RENEWALS) {
      return;
    }
    noteGrounds(process, sent, command, outcome);
    ContentionState contention = process.contention(command.key());
    contention.answered(sent.nanos());
    contention.badInARow = definite ? 0 : contention.badInARow;
    if (command instanceof Command.Abandon abandon && definite) {
      contention.abandons.remove(abandon.requestId());
    }
    if (command instanceof Command.Release release && definite) {
      contention.abandons.remove(release.requestId());
    }
    if (command instanceof Command.Acquire && contention.askSentNanos() == sent.nanos()) {
      acquireAnswered(process, command, outcome);
      if (world.now() - sent.nanos() > ContentionState.TIMEOUT - ContentionState.TIMEOUT / 50) {
        // It may have been given up before: then the answer is ignored, and asked for again.
        contention.mayBeIgnored(world.now(), timingOf(command));
      }
    }
  }

  private static void noteGrounds(
      SimProcess process, SimWire.Sent sent, Command command, Outcome outcome) {
    if (outcome instanceof Outcome.Granted granted) {
      long remaining = granted.remainingMillis() * World.MILLI;
      process.grounds.put(
          command.key(), new SimProcess.Grounds(granted.grant().token(), sent.ticks(), remaining));
    } else if (command instanceof Command.Renew renew
        && outcome instanceof Outcome.Renewed renewed) {
      long remaining = renewed.remainingMillis() * World.MILLI;
      process.grounds.put(
          command.key(), new SimProcess.Grounds(renew.token(), sent.ticks(), remaining));
    }
  }

  private void acquireAnswered(SimProcess process, Command command, Outcome outcome) {
    ContentionState contention = process.contention(command.key());
    long now = world.now();
    switch (outcome) {
      case Outcome.Held held -> {
        contention.toldOf(held.token(), now, held.remainingMillis() * World.MILLI);
        requireNotOwn(process, command.key(), held);
      }
      case Outcome.Closed closed ->
          contention.toldToWait(
              now,
              closed.remainingMillis().isPresent()
                  ? closed.remainingMillis().getAsLong() * World.MILLI
                  : ContentionState.CLOSED_POLL);
      case Outcome.Failed failed -> contention.failed(now, timingOf(command));
      default -> contention.toldToWait(now, ContentionState.TIMEOUT);
    }
  }

  /** I8: no process is told to wait for a grant of its own that it was not told of. */
  private void requireNotOwn(SimProcess process, LeaseKey key, Outcome.Held held) {
    ContentionState contention = process.contention(key);
    boolean own = held.instanceId().equals(process.instance().id());
    boolean known = process.views.stream().anyMatch(t -> isOf(t, key, held.token()));
    // A late answer may name a grant that has been released since.
    boolean still = store.unexpired(key).filter(g -> g.token().equals(held.token())).isPresent();
    if (own
        && still
        && !known
        && contention.interested == 1
        && !contention.isCrowded(process.sleptSince(contention.lastCrowdedNanos()))
        && contention.abandons.isEmpty()
        && !store.isDoubted()
        && !store.isStray(held.token())) {
      world.broken(
          "I8",
          process
              + " waits for token "
              + held.token()
              + " of "
              + key
              + ", which it was itself granted");
    }
  }

  private static boolean isOf(HeldLeaseView view, LeaseKey key, Token token) {
    return view.key().equals(key) && view.token().equals(token);
  }

  private void renewalAnswered(
      SimProcess process, SimWire.Sent sent, Command.Renew renew, Outcome outcome) {
    for (HeldLeaseView view : process.views) {
      if (isOf(view, renew.key(), renew.token())) {
        switch (outcome) {
          case Outcome.Renewed renewed ->
              view.renewed(
                  sent.nanos(),
                  sent.ticks() + view.trustedFor(renewed.remainingMillis() * World.MILLI));
          case Outcome.Lost lost -> {
            rollbackChecks.toldLost(view, sent.lane(), lost.reason());
            // On the other lane an heir asks, and after a rollback it may be offered the same
            // token.
            view.toldLost |= sent.lane() == SimWire.Lane.RENEWALS;
          }
          // A renewal must wait for a row that others have locked, so this is no excuse.
          case Outcome.Failed failed when failed.detail().equals(Database.LOCKED) -> {}
          default -> view.failed.add(sent.nanos());
        }
      }
    }
  }

  /** I12, when a lease is lost; and that it is not out of time too soon. */
  void lost(HeldLeaseView view, LossReason reason) {
    if (reason instanceof LossReason.OutOfTime) {
      world.covered(CoveragePoint.RAN_OUT_OF_TIME);
      if (!view.isOutOfTime()) {
        world.broken("at most", view + " was lost as out of time before its time was up");
      }
    }
    // An advance waits for users' transactions, all others wait for it, and it ends every grant.
    boolean endsByAdvance = store.isDoubted() || view.token().incarnation() < store.incarnation();
    boolean mayWaitForAnAdvance = endsByAdvance && world.plan().hasRows;
    if (!mayWaitForAnAdvance) {
      Fairness.judge(world, view, reason, store.rolledBackNanos());
    }
  }

  /** I9: a loss that the store reports reaches the holder in the same event. */
  void taken(SimProcess process) {
    for (HeldLeaseView view : process.views) {
      if (view.toldLost && view.loss.isEmpty() && !view.closed) {
        world.broken("I9", view + " was not told that the store says it is lost");
      }
    }
    process.open.forEach(HeldLeaseView::requireFounded);
    rollbackChecks.taken(process);
  }

  /** A lease has just been won: it is trusted from now on. */
  void won(HeldLeaseView view) {
    if (view.trustNanos() <= 0) {
      world.broken("I9", view + " was won without any trust in it");
    }
    if (view.process().isClosing()) {
      world.broken("shutdown", view + " was won by a process that shuts down");
    }
    rollbackChecks.won(view);
    lookAt(view);
  }

  /** I8: a release that took effect is not answered as a loss. */
  void released(HeldLeaseView view, Answer<Outcome> answer) {
    if (answer.outcome() instanceof Outcome.Lost lost
        && lost.reason() instanceof LossReason.Released
        && store.rolledBackNanos() < view.goodSinceNanos
        && !store.isDoubled(view.key(), view.token())) {
      world.broken("I8", view + " was given back, and then told that it had been lost by that");
    }
  }

  /** Checks from time to time that no key stays held without a holder. */
  void sweep(Iterable<LeaseKey> keys) {
    if (world.plan().leaps()) {
      return;
    }
    for (LeaseKey key : store.isDoubted() ? List.<LeaseKey>of() : keys) {
      store.unexpired(key).ifPresent(grant -> lookForOwner(key, grant));
    }
    for (SimProcess process : lives) {
      keys.forEach(key -> lookForWatch(process, key));
      lookForOwed(process);
      process.open.removeIf(t -> t.closed);
      process.views.removeIf(t -> t.closed && world.now() - t.goodSinceNanos > 120 * World.SECOND);
    }
  }

  /** A waiter's process soon watches the key, and soon stops when all waiters have left. */
  private void lookForWatch(SimProcess process, LeaseKey key) {
    ContentionState contention = process.contention(key);
    boolean waits = contention.waiting > 0;
    long since = Math.max(contention.waitChangedNanos(), process.backNanos());
    if (!process.isRunning() || world.now() - since < LATEST_WATCH) {
      return;
    }
    if (process.watches(key) != waits) {
      world.broken("watch", process + (waits ? " waits for " : " waits no more for ") + key);
    } else if (waits && contention.owesAHint()) {
      world.broken("watch", process + " has not looked at " + key + " since it watches it");
    }
  }

  /**
   * From now on, a lease that could not be handed over or inherited must be released, unless the
   * release waits behind a command that may be lost until the grant expires.
   */
  void owes(SimProcess process, HeldLeaseView view, Token token) {
    LeaseKey key = view.key();
    if (process.contention(key).behind(world.now()) > view.wanted().timing().ttlNanos()) {
      return;
    }
    process.owed.putIfAbsent(key + " under " + token, world.now());
  }

  private void lookForOwed(SimProcess process) {
    long free =
        Math.max(process.backNanos(), process.lastBadCommandNanos) + 2 * ContentionState.TIMEOUT;
    boolean canSend = process.isRunning() && free < world.now();
    process.owed.forEach(
        (what, since) -> {
          if (canSend && since < world.now() - World.SECOND) {
            world.broken("abandon", what + " could not be passed on, and " + process + " keeps it");
          }
        });
  }

  /** It has seen that writes were lost, and sends nothing more, not even a release. */
  private static boolean hasLeftTheStore(SimProcess process) {
    return process.views.stream()
        .anyMatch(t -> t.loss.filter(LossReason.Broken.class::isInstance).isPresent());
  }

  private void lookForOwner(LeaseKey key, Grant grant) {
    for (SimProcess process : lives) {
      boolean mayCare = process.isRunning() && !process.warned && !hasLeftTheStore(process);
      if (!process.instance().id().equals(grant.instanceId()) || !mayCare) {
        continue;
      }
      ContentionState contention = process.contention(key);
      boolean owned =
          contention.interested + contention.heirs > 0
              || store.isStray(grant.token())
              || process.views.stream().anyMatch(t -> isOf(t, key, grant.token()) && isAttended(t));
      if (owned) {
        contention.noteOwned();
        continue;
      }
      long orphanedSince = contention.orphanedSince(grant.token(), world.now());
      long since =
          Math.max(
              Math.max(orphanedSince, process.backNanos()),
              Math.max(contention.lastBadNanos, process.lastBadCommandNanos));
      long backoff =
          Math.min(
              ContentionState.LONGEST_BACKOFF,
              (World.SECOND / 10) << Math.min(10, contention.badInARow));
      long slept = process.sleptSince(world.now() - 60 * World.SECOND);
      if (world.now() - since
          > 2 * ContentionState.TIMEOUT + backoff + slept + store.steppedBackNanos()) {
        world.broken(
            "abandon",
            "token "
                + grant.token()
                + " of "
                + key
                + " is held by no caller, for "
                + process
                + " lives");
      }
    }
  }

  private static boolean isAttended(HeldLeaseView view) {
    boolean kept = view.kept && (view.keptNanos() > 0 || view.process().isClosing());
    return !view.closed
        || kept
        || view.loss.filter(LossReason.Unreachable.class::isInstance).isPresent();
  }
}
