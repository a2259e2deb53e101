package dev.leasehold.verification.simulation;

/** What must happen now and then in simulations, or what they judge of it proves nothing. */
public enum Deed {
  /** A lease was won by who expected the grant before it. */
  TOOK_OVER_AS_EXPECTED,
  /** Who expected one grant was told that another had come in between. */
  FOUND_ANOTHER_THAN_EXPECTED,
  /** A lease was handed over while the giver's work still ran. */
  HANDED_OVER_IN_OVERLAP,
  /** A key was kept from others though the work under it had ended. */
  KEPT_AFTER_THE_WORK,
  /** A lease ended since it was held for as long as it was to be held at most. */
  RAN_OUT_OF_TIME,
  /** A hint came to who had not watched, or did not watch any more. */
  GOT_A_HINT_UNASKED,
  /** A store that had lost writes issued a number once more. */
  ISSUED_A_TOKEN_AGAIN,
  /** A row was deleted by hand, and the floor of its bucket raised. */
  DELETED_A_ROW_BY_HAND,
  /** A process saw by the store's chain that writes were lost, and used it no more. */
  REFUSED_THE_STORE,
  /** A process saw that the store had lost writes, and said so. */
  SAW_THAT_WRITES_WERE_LOST
}
