package dev.leasehold.verification.simulation;

import java.util.Optional;

/**
 * What a process knows of the store's history, and whether it uses the store. A refusal ends only
 * with a higher incarnation. If a process keeps its knowledge in a file, its successor starts with
 * that.
 */
final class RollbackGuard {
  private final Plant plant;
  private Optional<Chain.Seen> seen = Optional.empty();
  private int incarnation;
  private boolean refusing;
  private int refusedIncarnation;

  RollbackGuard(Plant plant) {
    this.plant = plant;
  }

  /** Checks the store, as a process does regularly in the background. */
  void look(Chain chain, int currentIncarnation) {
    if (currentIncarnation > incarnation) {
      incarnation = currentIncarnation;
      refusing = false;
      seen = Optional.empty();
    }
    boolean contradicted =
        plant == Plant.ROLLBACK_FORGOTTEN
            ? seen.filter(before -> chain.seen().written() < before.written()).isPresent()
            : seen.filter(before -> !chain.continues(before)).isPresent();
    if (contradicted) {
      refusing = true;
      refusedIncarnation = incarnation;
    } else if (plant == Plant.ROLLBACK_FORGOTTEN) {
      refusing = false;
    }
    if (!refusing) {
      seen = Optional.of(chain.seen());
    }
  }

  boolean refuses() {
    return refusing;
  }

  /** Whether it uses a store that it has refused, although the incarnation was not advanced. */
  boolean hasForgotten() {
    return !refusing && refusedIncarnation > 0 && refusedIncarnation == incarnation;
  }
}
