package dev.leasehold.fence;

/**
 * What a fence says of itself, so that an audit can name a hole as one.
 *
 * @param mark how long it remembers the highest token
 * @param check how its check is tied to the change
 */
public record Guarantee(Durability mark, Atomicity check) {
  /** How long something lasts, from the shortest to the longest. */
  public enum Durability {
    /** As long as the process. */
    PROCESS,
    /** Through restarts and crashes, once acknowledged. */
    DURABLE
  }

  /** How the check and the change belong together. */
  public enum Atomicity {
    /** Asked beforehand: a holder paused between the answer and its change goes through. */
    ADVICE,
    /**
     * A change made through the fence takes effect only if its check still holds at that moment.
     * What is changed after a bare {@link Fence#admit} is still only advised.
     */
    WITH_CHANGE
  }

  /**
   * Whether it stops an old holder from changing a target that lasts so long. A mark that is
   * forgotten before its target lets the next process start with an open door.
   */
  public boolean holdsFor(Durability target) {
    boolean remembersAsLong = mark == Durability.DURABLE || target == Durability.PROCESS;
    return check == Atomicity.WITH_CHANGE && remembersAsLong;
  }
}
