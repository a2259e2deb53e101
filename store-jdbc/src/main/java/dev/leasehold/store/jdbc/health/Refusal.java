package dev.leasehold.store.jdbc.health;

/** Why a store must not be used. */
sealed interface Refusal {
  /** The finding, and what the operator can do. */
  String sentence();

  /**
   * The store has gone back to an earlier state. Later writes may hide the evidence, so this
   * refusal stands, even after a restart, until the incarnation is higher.
   *
   * @param incarnation of the store when this was found
   */
  record LostWrites(int incarnation, String sentence) implements Refusal {}

  /**
   * Another store is at the address of this one or of an earlier one. Each check finds this anew as
   * long as it is true, and it proves nothing about the right store.
   */
  record OtherStore(String sentence) implements Refusal {}

  /** Adds the remedy to the finding. */
  static LostWrites lostWrites(int incarnation, String what) {
    return new LostWrites(
        incarnation,
        "the store has gone back to an earlier state ("
            + what
            + "): if it was restored from a backup or failed over to a replica that lagged, run"
            + " leasehold incarnation advance, with the same --data or with --above N, before it is"
            + " used again");
  }
}
