package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.Verdict;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;

/**
 * Checks what remains reliable when a store has lost writes and no operator has advanced its
 * incarnation: fences, and holders of grants that the store does not know any more. Such a holder
 * stops using the store and reports it; and no process reports a store that has lost nothing.
 */
final class RollbackChecks {
  private final World world;
  private final SimStore store;

  RollbackChecks(World world, SimStore store) {
    this.world = world;
    this.store = store;
  }

  /** The store is about to tell a holder that its lease is lost. */
  void toldLost(HeldLeaseView view, SimWire.Lane lane, LossReason reason) {
    boolean heard = lane == SimWire.Lane.RENEWALS && view.loss.isEmpty() && !view.closed;
    boolean contradicted =
        reason instanceof LossReason.Unknown unknown
            && unknown.last().map(last -> view.token().isAbove(last)).orElse(true);
    if (heard && contradicted) {
      SimProcess process = view.process();
      process.sawLossNanos = Math.min(process.sawLossNanos, world.now());
    }
  }

  /**
   * An answer was handled: if it showed lost writes, all waiters must be told in the same event.
   */
  void taken(SimProcess process) {
    boolean someoneWaits =
        process.contentions.values().stream().anyMatch(contention -> contention.interested > 0);
    if (hasSeenLoss(process) && someoneWaits) {
      world.broken(
          "witness", process + " has seen that the store lost writes, and waits for a lease");
    }
  }

  private static boolean hasSeenLoss(SimProcess process) {
    return process.sawLossNanos < Long.MAX_VALUE;
  }

  /**
   * Commands that were pending when the process saw the loss may still be sent, but no later ones.
   */
  void contention(SimProcess process, Command.Acquire acquire) {
    if (hasSeenLoss(process)) {
      long since = Math.max(process.sawLossNanos, process.backNanos());
      long slept = process.sleptSince(process.sawLossNanos);
      if (world.now() - since - slept > 2 * ContentionState.TIMEOUT) {
        world.broken(
            "witness",
            process + " has seen that the store lost writes, and asks it for " + acquire.key());
      }
    }
  }

  void told(SimProcess process, boolean heir, Verdict verdict) {
    boolean fits =
        switch (verdict) {
          case Verdict.Unsafe unsafe -> true;
          case Verdict.Cancelled cancelled -> true;
          case Verdict.Won won -> false;
          default -> heir;
        };
    if (hasSeenLoss(process) && !fits) {
      world.broken(
          "witness",
          process + " has seen that the store lost writes, and tells a caller " + verdict);
    }
    if (verdict instanceof Verdict.Changed) {
      world.covered(CoveragePoint.FOUND_ANOTHER_THAN_EXPECTED);
    }
  }

  /** A caller was told that the store must not be used; true for the first time in a process. */
  boolean warned(SimProcess process) {
    boolean first = !process.warned;
    if (first) {
      process.warned = true;
      world.covered(CoveragePoint.SAW_THAT_WRITES_WERE_LOST);
    }
    if (process.bornNanos > store.rolledBackNanos()) {
      world.broken("witness", process + " says that the store has lost writes, but it has not");
    }
    return first;
  }

  /**
   * A process that has refused the store is granted a lease although the incarnation was not
   * advanced.
   */
  void grantedByARefused(SimProcess process, LeaseKey key, Token token) {
    String hands = store.isDoubled(key, token) ? ", a number that is in two hands now" : "";
    world.broken(
        "witness",
        process
            + " had seen that the store lost writes, and is granted token "
            + token
            + " of "
            + key
            + hands);
  }

  /** A process that was granted a token knows that the next one is higher. */
  void won(HeldLeaseView view) {
    HeldLeaseView before = view.process().lastWon.put(view.key(), view);
    if (before != null && !mayFollow(view, before)) {
      world.broken("witness", view + " was won by a process that had held " + before);
    }
    view.wanted().expected().ifPresent(expected -> requireFollows(view, expected.token()));
  }

  /** The same grant may be inherited again, if it was lost because no answer came. */
  private static boolean mayFollow(HeldLeaseView view, HeldLeaseView before) {
    boolean bothInherited = view.inherited && before.inherited;
    return view.token().isAbove(before.token())
        || (bothInherited && view.token().equals(before.token()));
  }

  private void requireFollows(HeldLeaseView view, Token expected) {
    boolean doubled = store.isDoubled(view.key(), view.token());
    if (!doubled && !store.follows(view.key(), view.token(), expected)) {
      world.broken("expecting", view + " does not follow on " + expected + ", which was expected");
    }
    world.covered(CoveragePoint.TOOK_OVER_AS_EXPECTED);
  }
}
