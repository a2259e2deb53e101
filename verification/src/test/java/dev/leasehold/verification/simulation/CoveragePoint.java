package dev.leasehold.verification.simulation;

/**
 * Events that must happen now and then in simulations; otherwise the checks on them prove nothing.
 */
public enum CoveragePoint {
  /** A caller won the lease by following the grant that it expected. */
  TOOK_OVER_AS_EXPECTED,
  /** A caller that expected one grant was told that another had come in between. */
  FOUND_ANOTHER_THAN_EXPECTED,
  /** A lease was handed over while the giver's work still ran. */
  HANDED_OVER_IN_OVERLAP,
  /** A key was kept from others although the work under it had ended. */
  KEPT_AFTER_THE_WORK,
  /** A lease ended because it was held for its longest time. */
  RAN_OUT_OF_TIME,
  /** A hint came to a process that did not watch the key, or not any more. */
  GOT_A_HINT_UNASKED,
  /** A store that had lost writes issued a token a second time. */
  ISSUED_A_TOKEN_AGAIN,
  /** A row was deleted by hand, and the floor of its bucket raised. */
  DELETED_A_ROW_BY_HAND,
  /** A process saw in the store's chain that writes were lost, and stopped using the store. */
  REFUSED_THE_STORE,
  /** A process saw that the store had lost writes, and reported it. */
  SAW_THAT_WRITES_WERE_LOST
}
