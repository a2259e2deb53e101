package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.StallLimit;
import dev.leasehold.kernel.batches.Answer;
import dev.leasehold.kernel.engine.Timing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * Checks every event from the outside, with the true state of the store: how long a holder trusts
 * its lease, when it is told of its end, whether it asks and renews as it should.
 */
final class Judge {
  private static final long LATE = Life.LATEST_TIMER + 20 * World.MILLI;
  static final long SWEEP_NANOS = World.SECOND / 2;

  /** A watch begins and ends on threads of its own. */
  private static final long LATEST_WATCH = Life.LATEST_ASIDE + World.SECOND / 2;

  private final World world;
  private final SimStore store;
  private final List<Life> lives;
  private final Doubts doubts;

  Judge(World world, SimStore store, List<Life> lives) {
    this.world = world;
    this.store = store;
    this.lives = lives;
    this.doubts = new Doubts(world, store);
  }

  /** The checks about rollbacks. */
  Doubts doubts() {
    return doubts;
  }

  /** After every event. */
  void look() {
    for (Life life : lives) {
      if (life.isRunning()) {
        for (Tenancy tenancy : life.open) {
          lookAt(tenancy);
        }
        if (!world.plan().leaps()) {
          life.askings.forEach((key, asking) -> lookAt(life, key, asking));
        }
      }
    }
  }

  /** I6 and I9, at this moment. */
  void lookAt(Tenancy tenancy) {
    long trust = tenancy.trustNanos();
    if (trust > 0 && (tenancy.loss.isPresent() || tenancy.closed)) {
      world.broken("I9", tenancy + " is trusted though it is lost or given back");
    }
    if (trust > 0 && tenancy.isOutOfTime()) {
      world.broken("at most", tenancy + " is trusted though its time is up");
    }
    if (world.plan().leaps()) {
      return;
    }
    if (trust > 0) {
      Optional<String> doubt = store.whyNotTrusted(tenancy.key(), tenancy.token());
      doubt.ifPresent(
          why ->
              world.broken(
                  "I6",
                  tenancy + " is trusted for " + trust / World.MILLI + " ms more, but " + why));
    }
    long slept = tenancy.life().sleptSince(tenancy.goodSinceNanos - timersNanos(tenancy));
    boolean back = tenancy.life().backNanos() + LATE < world.now() - slept;
    if (back && !tenancy.closed) {
      lookAtTimes(tenancy);
    }
  }

  /** How long a timer of the lease may have been waiting. */
  private static long timersNanos(Tenancy tenancy) {
    return tenancy.longestNanos();
  }

  private void lookAtTimes(Tenancy tenancy) {
    Life life = tenancy.life();
    long slept = life.sleptSince(tenancy.goodSinceNanos - timersNanos(tenancy));
    long over = life.ticks() - tenancy.trustUntilTicks - slept;
    long grace = tenancy.wanted().timing().graceNanos();
    if (over > LATE && tenancy.loss.isEmpty()) {
      world.broken("I9", tenancy + " was not told that it is lost, though its trust ran out");
    }
    if (over + grace > LATE && !tenancy.endingTold) {
      world.broken("I9", tenancy + " was not told that it ends, though its grace began");
    }
    StallLimit limit = tenancy.wanted().terms().stallLimit();
    // A rollback also takes back the recorded progress, so the next report counts as progress
    // again.
    long still = world.now() - Math.max(tenancy.progressedNanos, store.rolledBackNanos());
    long bound = (limit.millis() + tenancy.wanted().terms().ttlMillis()) * World.MILLI;
    if (limit.millis() > 0
        && tenancy.loss.isEmpty()
        && still > bound + bound / 50 + World.SECOND + slept + store.steppedBackNanos()) {
      world.broken("I10", tenancy + " stands still and is not lost");
    }
  }

  /** I11: a waiter asks for the key when it was told to, or when a hint woke it. */
  private void lookAt(Life life, LeaseKey key, Asking asking) {
    if (asking.waiting == 0 || world.now() <= asking.askByNanos()) {
      return;
    }
    long bad =
        life.lastBadCommandNanos + 2 * Asking.PATIENCE + Asking.LONGEST_BACKOFF + Asking.SLACK;
    long lost = asking.isUnanswered() ? Asking.PATIENCE + Asking.LONGEST_BACKOFF : 0;
    long back = life.backNanos() + lost + Asking.SLACK;
    long by = Math.max(asking.askByNanos(), Math.max(bad, back));
    // Commands that were pending behind failed ones continue to wait after a pause.
    long away = life.awaySince(life.lastBadCommandNanos);
    boolean overdue = world.now() > by && world.now() > bad + away;
    if (overdue && world.now() > by + life.sleptSince(asking.askSentNanos())) {
      world.broken("I11", life + " waits for " + key + " but does not ask for it any more");
    }
  }

  void sending(Life life, SimWire.Lane lane, List<Command> batch) {
    for (Command command : batch) {
      Asking asking = life.asking(command.key());
      if (lane == SimWire.Lane.COMMANDS) {
        asking.sent(world.now(), command instanceof Command.Acquire, timingOf(command));
      }
      switch (command) {
        case Command.Acquire acquire -> doubts.asking(life, acquire);
        case Command.Renew renew -> sendingRenewal(life, renew);
        case Command.Release release -> {
          asking.abandons.add(release.requestId());
          requireClosed(life, release.key(), release.token());
        }
        case Command.HandOver over -> requireClosed(life, over.key(), over.token());
        case Command.Abandon abandon -> asking.abandons.add(abandon.requestId());
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

  private void sendingRenewal(Life life, Command.Renew renew) {
    for (Tenancy tenancy : life.tenancies) {
      if (tenancy.token().equals(renew.token()) && tenancy.key().equals(renew.key())) {
        tenancy.attempts++;
        boolean doubled = store.isDoubled(renew.key(), renew.token());
        if (renew.progress() != tenancy.progress && !doubled) {
          world.broken("I10", tenancy + " was renewed without the progress it reported");
        }
      }
    }
  }

  /** Nothing is given back while its work still runs. */
  private void requireClosed(Life life, LeaseKey key, Token token) {
    life.owed.remove(key + " under " + token);
    for (Tenancy tenancy : life.tenancies) {
      if (!isOf(tenancy, key, token)) {
        continue;
      }
      if (!tenancy.closed && !store.isDoubled(key, token)) {
        world.broken("release", tenancy + " was given back while its work still ran");
      }
      if (tenancy.kept && tenancy.keptNanos() > 0) {
        world.broken("at least", tenancy + " was given back sooner than it was to be kept");
      }
    }
  }

  /** A message that was sent at this time went wrong. */
  void wentWrong(Life life, SimWire.Lane lane, Command command, long sentNanos) {
    if (lane == SimWire.Lane.COMMANDS) {
      Asking asking = life.asking(command.key());
      asking.badInARow++;
      asking.lastBadNanos = world.now();
      life.lastBadCommandNanos = world.now();
    } else if (command instanceof Command.Renew renew) {
      for (Tenancy tenancy : life.tenancies) {
        if (tenancy.token().equals(renew.token()) && tenancy.key().equals(renew.key())) {
          tenancy.failed.add(sentNanos);
        }
      }
    }
  }

  /**
   * A command was answered Failed because its row is locked, which may delay its own key but no
   * other.
   */
  void locked(Life life, Command command) {
    if (command instanceof Command.Renew) {
      wentWrong(life, SimWire.Lane.RENEWALS, command, world.now());
    } else {
      Asking asking = life.asking(command.key());
      asking.badInARow++;
      asking.lastBadNanos = world.now();
    }
  }

  /** A renewal hangs because another one in its batch does; this excuses it only once. */
  void hung(Life life, Command command, long sentNanos, Command cause) {
    for (Tenancy tenancy : life.tenancies) {
      if (tenancy.key().equals(command.key()) && tenancy.hungBy.add(cause)) {
        tenancy.failed.add(sentNanos);
      }
    }
  }

  /** An answer is about to be handled. */
  void answered(Life life, SimWire.Sent sent, Command command, Outcome outcome) {
    boolean definite = !(outcome instanceof Outcome.Failed);
    if (command instanceof Command.Renew renew) {
      renewalAnswered(life, sent, renew, outcome);
    }
    if (sent.lane() == SimWire.Lane.RENEWALS) {
      return;
    }
    noteGrounds(life, sent, command, outcome);
    Asking asking = life.asking(command.key());
    asking.answered(sent.nanos());
    asking.badInARow = definite ? 0 : asking.badInARow;
    if (command instanceof Command.Abandon abandon && definite) {
      asking.abandons.remove(abandon.requestId());
    }
    if (command instanceof Command.Release release && definite) {
      asking.abandons.remove(release.requestId());
    }
    if (command instanceof Command.Acquire && asking.askSentNanos() == sent.nanos()) {
      acquireAnswered(life, command, outcome);
      if (world.now() - sent.nanos() > Asking.PATIENCE - Asking.PATIENCE / 50) {
        // It may have been given up before: then the answer is ignored, and asked for again.
        asking.mayBeIgnored(world.now(), timingOf(command));
      }
    }
  }

  private static void noteGrounds(Life life, SimWire.Sent sent, Command command, Outcome outcome) {
    if (outcome instanceof Outcome.Granted granted) {
      long remaining = granted.remainingMillis() * World.MILLI;
      life.grounds.put(
          command.key(), new Life.Grounds(granted.grant().token(), sent.ticks(), remaining));
    } else if (command instanceof Command.Renew renew
        && outcome instanceof Outcome.Renewed renewed) {
      long remaining = renewed.remainingMillis() * World.MILLI;
      life.grounds.put(command.key(), new Life.Grounds(renew.token(), sent.ticks(), remaining));
    }
  }

  private void acquireAnswered(Life life, Command command, Outcome outcome) {
    Asking asking = life.asking(command.key());
    long now = world.now();
    switch (outcome) {
      case Outcome.Held held -> {
        asking.toldOf(held.token(), now, held.remainingMillis() * World.MILLI);
        requireNotOwn(life, command.key(), held);
      }
      case Outcome.Closed closed ->
          asking.toldToWait(
              now,
              closed.remainingMillis().isPresent()
                  ? closed.remainingMillis().getAsLong() * World.MILLI
                  : Asking.CLOSED_POLL);
      case Outcome.Failed failed -> asking.failed(now, timingOf(command));
      default -> asking.toldToWait(now, Asking.PATIENCE);
    }
  }

  /** I8: no process is told to wait for a grant of its own that it was not told of. */
  private void requireNotOwn(Life life, LeaseKey key, Outcome.Held held) {
    Asking asking = life.asking(key);
    boolean own = held.instanceId().equals(life.instance().id());
    boolean known = life.tenancies.stream().anyMatch(t -> isOf(t, key, held.token()));
    // A late answer may name a grant that has been released since.
    boolean still = store.unexpired(key).filter(g -> g.token().equals(held.token())).isPresent();
    if (own
        && still
        && !known
        && asking.interested == 1
        && !asking.isCrowded(life.sleptSince(asking.lastCrowdedNanos()))
        && asking.abandons.isEmpty()
        && !store.isDoubted()
        && !store.isStray(held.token())) {
      world.broken(
          "I8",
          life
              + " waits for token "
              + held.token()
              + " of "
              + key
              + ", which it was itself granted");
    }
  }

  private static boolean isOf(Tenancy tenancy, LeaseKey key, Token token) {
    return tenancy.key().equals(key) && tenancy.token().equals(token);
  }

  private void renewalAnswered(Life life, SimWire.Sent sent, Command.Renew renew, Outcome outcome) {
    for (Tenancy tenancy : life.tenancies) {
      if (isOf(tenancy, renew.key(), renew.token())) {
        switch (outcome) {
          case Outcome.Renewed renewed ->
              tenancy.renewed(
                  sent.nanos(),
                  sent.ticks() + tenancy.trustedFor(renewed.remainingMillis() * World.MILLI));
          case Outcome.Lost lost -> {
            doubts.toldLost(tenancy, sent.lane(), lost.reason());
            // On the other lane an heir asks, and after a rollback it may be offered the same
            // token.
            tenancy.toldLost |= sent.lane() == SimWire.Lane.RENEWALS;
          }
          // A renewal must wait for a row that others have locked, so this is no excuse.
          case Outcome.Failed failed when failed.detail().equals(Database.LOCKED) -> {}
          default -> tenancy.failed.add(sent.nanos());
        }
      }
    }
  }

  /** I12, when a lease is lost; and that it is not out of time too soon. */
  void lost(Tenancy tenancy, LossReason reason) {
    if (reason instanceof LossReason.OutOfTime) {
      world.covered(CoveragePoint.RAN_OUT_OF_TIME);
      if (!tenancy.isOutOfTime()) {
        world.broken("at most", tenancy + " was lost as out of time before its time was up");
      }
    }
    // An advance waits for users' transactions, all others wait for it, and it ends every grant.
    boolean endsByAdvance =
        store.isDoubted() || tenancy.token().incarnation() < store.incarnation();
    boolean mayWaitForAnAdvance = endsByAdvance && world.plan().hasRows;
    if (!mayWaitForAnAdvance) {
      Fairness.judge(world, tenancy, reason, store.rolledBackNanos());
    }
  }

  /** I9: a loss that the store reports reaches the holder in the same event. */
  void taken(Life life) {
    for (Tenancy tenancy : life.tenancies) {
      if (tenancy.toldLost && tenancy.loss.isEmpty() && !tenancy.closed) {
        world.broken("I9", tenancy + " was not told that the store says it is lost");
      }
    }
    life.open.forEach(Tenancy::requireFounded);
    doubts.taken(life);
  }

  /** A lease has just been won: it is trusted from now on. */
  void won(Tenancy tenancy) {
    if (tenancy.trustNanos() <= 0) {
      world.broken("I9", tenancy + " was won without any trust in it");
    }
    if (tenancy.life().isClosing()) {
      world.broken("shutdown", tenancy + " was won by a process that shuts down");
    }
    doubts.won(tenancy);
    lookAt(tenancy);
  }

  /** I8: a release that took effect is not answered as a loss. */
  void released(Tenancy tenancy, Answer<Outcome> answer) {
    if (answer.outcome() instanceof Outcome.Lost lost
        && lost.reason() instanceof LossReason.Released
        && store.rolledBackNanos() < tenancy.goodSinceNanos
        && !store.isDoubled(tenancy.key(), tenancy.token())) {
      world.broken("I8", tenancy + " was given back, and then told that it had been lost by that");
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
    for (Life life : lives) {
      keys.forEach(key -> lookForWatch(life, key));
      lookForOwed(life);
      life.open.removeIf(t -> t.closed);
      life.tenancies.removeIf(t -> t.closed && world.now() - t.goodSinceNanos > 120 * World.SECOND);
    }
  }

  /** A waiter's process soon watches the key, and soon stops when all waiters have left. */
  private void lookForWatch(Life life, LeaseKey key) {
    Asking asking = life.asking(key);
    boolean waits = asking.waiting > 0;
    long since = Math.max(asking.waitChangedNanos(), life.backNanos());
    if (!life.isRunning() || world.now() - since < LATEST_WATCH) {
      return;
    }
    if (life.watches(key) != waits) {
      world.broken("watch", life + (waits ? " waits for " : " waits no more for ") + key);
    } else if (waits && asking.owesAHint()) {
      world.broken("watch", life + " has not looked at " + key + " since it watches it");
    }
  }

  /**
   * From now on, a lease that could not be handed over or inherited must be released, unless the
   * release waits behind a command that may be lost until the grant expires.
   */
  void owes(Life life, Tenancy tenancy, Token token) {
    LeaseKey key = tenancy.key();
    if (life.asking(key).behind(world.now()) > tenancy.wanted().timing().ttlNanos()) {
      return;
    }
    life.owed.putIfAbsent(key + " under " + token, world.now());
  }

  private void lookForOwed(Life life) {
    long free = Math.max(life.backNanos(), life.lastBadCommandNanos) + 2 * Asking.PATIENCE;
    boolean canSend = life.isRunning() && free < world.now();
    life.owed.forEach(
        (what, since) -> {
          if (canSend && since < world.now() - World.SECOND) {
            world.broken("abandon", what + " could not be passed on, and " + life + " keeps it");
          }
        });
  }

  /** It has seen that writes were lost, and sends nothing more, not even a release. */
  private static boolean hasLeftTheStore(Life life) {
    return life.tenancies.stream()
        .anyMatch(t -> t.loss.filter(LossReason.Broken.class::isInstance).isPresent());
  }

  private void lookForOwner(LeaseKey key, Grant grant) {
    for (Life life : lives) {
      boolean mayCare = life.isRunning() && !life.warned && !hasLeftTheStore(life);
      if (!life.instance().id().equals(grant.instanceId()) || !mayCare) {
        continue;
      }
      Asking asking = life.asking(key);
      boolean owned =
          asking.interested + asking.heirs > 0
              || store.isStray(grant.token())
              || life.tenancies.stream()
                  .anyMatch(t -> isOf(t, key, grant.token()) && isAttended(t));
      if (owned) {
        asking.noteOwned();
        continue;
      }
      long orphanedSince = asking.orphanedSince(grant.token(), world.now());
      long since =
          Math.max(
              Math.max(orphanedSince, life.backNanos()),
              Math.max(asking.lastBadNanos, life.lastBadCommandNanos));
      long backoff =
          Math.min(Asking.LONGEST_BACKOFF, (World.SECOND / 10) << Math.min(10, asking.badInARow));
      long slept = life.sleptSince(world.now() - 60 * World.SECOND);
      if (world.now() - since > 2 * Asking.PATIENCE + backoff + slept + store.steppedBackNanos()) {
        world.broken(
            "abandon",
            "token " + grant.token() + " of " + key + " is held by nobody, for " + life + " lives");
      }
    }
  }

  private static boolean isAttended(Tenancy tenancy) {
    boolean kept = tenancy.kept && (tenancy.keptNanos() > 0 || tenancy.life().isClosing());
    return !tenancy.closed
        || kept
        || tenancy.loss.filter(LossReason.Unreachable.class::isInstance).isPresent();
  }
}
