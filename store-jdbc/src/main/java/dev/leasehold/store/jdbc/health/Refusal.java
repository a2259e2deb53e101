package dev.leasehold.store.jdbc.health;

/** Why a store is not used. */
sealed interface Refusal {
  /** What was found, and what to do. */
  String sentence();

  /**
   * It has gone back to an earlier state. What shows that may be hidden by later writes, so it
   * stands whatever is found later, also after a restart, until the incarnation is higher.
   *
   * @param incarnation of the store when this was found
   */
  record LostWrites(int incarnation, String sentence) implements Refusal {}

  /**
   * Another store is where this one, or one before it, has been served. That is found again as long
   * as it is so, and says nothing of the right one.
   */
  record OtherStore(String sentence) implements Refusal {}

  /** What to do is said with what was found. */
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
