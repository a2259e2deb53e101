package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.engine.Verdict;
import dev.leasehold.kernel.spi.Command;

/**
 * Checks what remains reliable when a store has lost writes and no operator has advanced its
 * incarnation: fences, and holders of grants that the store does not know any more. Such a holder
 * stops using the store and reports it; and no process reports a store that has lost nothing.
 */
final class Doubts {
  private final World world;
  private final SimStore store;

  Doubts(World world, SimStore store) {
    this.world = world;
    this.store = store;
  }

  /** The store is about to tell a holder that its lease is lost. */
  void toldLost(Tenancy tenancy, SimWire.Lane lane, LossReason reason) {
    boolean heard = lane == SimWire.Lane.RENEWALS && tenancy.loss.isEmpty() && !tenancy.closed;
    boolean contradicted =
        reason instanceof LossReason.Unknown unknown
            && unknown.last().map(last -> tenancy.token().isAbove(last)).orElse(true);
    if (heard && contradicted) {
      Life life = tenancy.life();
      life.sawLossNanos = Math.min(life.sawLossNanos, world.now());
    }
  }

  /**
   * An answer was handled: if it showed lost writes, all waiters must be told in the same event.
   */
  void taken(Life life) {
    boolean someoneWaits = life.askings.values().stream().anyMatch(asking -> asking.interested > 0);
    if (hasSeenLoss(life) && someoneWaits) {
      world.broken("witness", life + " has seen that the store lost writes, and waits for a lease");
    }
  }

  private static boolean hasSeenLoss(Life life) {
    return life.sawLossNanos < Long.MAX_VALUE;
  }

  /**
   * Commands that were pending when the process saw the loss may still be sent, but no later ones.
   */
  void asking(Life life, Command.Acquire acquire) {
    if (hasSeenLoss(life)) {
      long since = Math.max(life.sawLossNanos, life.backNanos());
      long slept = life.sleptSince(life.sawLossNanos);
      if (world.now() - since - slept > 2 * Asking.PATIENCE) {
        world.broken(
            "witness",
            life + " has seen that the store lost writes, and asks it for " + acquire.key());
      }
    }
  }

  void told(Life life, boolean heir, Verdict verdict) {
    boolean fits =
        switch (verdict) {
          case Verdict.Unsafe unsafe -> true;
          case Verdict.Cancelled cancelled -> true;
          case Verdict.Won won -> false;
          default -> heir;
        };
    if (hasSeenLoss(life) && !fits) {
      world.broken(
          "witness", life + " has seen that the store lost writes, and tells a caller " + verdict);
    }
    if (verdict instanceof Verdict.Changed) {
      world.covered(CoveragePoint.FOUND_ANOTHER_THAN_EXPECTED);
    }
  }

  /** A caller was told that the store must not be used; true for the first time in a process. */
  boolean warned(Life life) {
    boolean first = !life.warned;
    if (first) {
      life.warned = true;
      world.covered(CoveragePoint.SAW_THAT_WRITES_WERE_LOST);
    }
    if (life.bornNanos > store.rolledBackNanos()) {
      world.broken("witness", life + " says that the store has lost writes, but it has not");
    }
    return first;
  }

  /**
   * A process that has refused the store is granted a lease although the incarnation was not
   * advanced.
   */
  void grantedByARefused(Life life, LeaseKey key, Token token) {
    String hands = store.isDoubled(key, token) ? ", a number that is in two hands now" : "";
    world.broken(
        "witness",
        life
            + " had seen that the store lost writes, and is granted token "
            + token
            + " of "
            + key
            + hands);
  }

  /** A process that was granted a token knows that the next one is higher. */
  void won(Tenancy tenancy) {
    Tenancy before = tenancy.life().lastWon.put(tenancy.key(), tenancy);
    if (before != null && !mayFollow(tenancy, before)) {
      world.broken("witness", tenancy + " was won by a process that had held " + before);
    }
    tenancy.wanted().expected().ifPresent(expected -> requireFollows(tenancy, expected.token()));
  }

  /** The same grant may be inherited again, if it was lost because no answer came. */
  private static boolean mayFollow(Tenancy tenancy, Tenancy before) {
    boolean bothInherited = tenancy.inherited && before.inherited;
    return tenancy.token().isAbove(before.token())
        || (bothInherited && tenancy.token().equals(before.token()));
  }

  private void requireFollows(Tenancy tenancy, Token expected) {
    boolean doubled = store.isDoubled(tenancy.key(), tenancy.token());
    if (!doubled && !store.follows(tenancy.key(), tenancy.token(), expected)) {
      world.broken(
          "expecting", tenancy + " does not follow on " + expected + ", which was expected");
    }
    world.covered(CoveragePoint.TOOK_OVER_AS_EXPECTED);
  }
}
