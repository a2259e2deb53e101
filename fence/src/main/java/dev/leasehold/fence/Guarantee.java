package dev.leasehold.fence;

/**
 * What a fence guarantees, so that an audit can tell whether it has a hole.
 *
 * @param mark how long it remembers the highest token
 * @param check how its check is tied to the change
 */
public record Guarantee(Durability mark, Atomicity check) {
  /** How long something lasts, from the shortest to the longest. */
  public enum Durability {
    /** As long as the process. */
    PROCESS,
    /** It survives restarts and crashes, once acknowledged. */
    DURABLE
  }

  /** How the check is tied to the change. */
  public enum Atomicity {
    /**
     * The holder asks before the change: if it is paused in between, an outdated change can land.
     */
    ADVICE,
    /**
     * A change made through the fence takes effect only if its check still holds at that moment. A
     * change after a bare {@link Fence#admit} is not protected by this.
     */
    WITH_CHANGE
  }

  /**
   * Whether it stops an old holder from changing a target of this durability. If the mark is
   * forgotten before the target, then after a restart the fence admits every old holder.
   */
  public boolean holdsFor(Durability target) {
    boolean remembersAsLong = mark == Durability.DURABLE || target == Durability.PROCESS;
    return check == Atomicity.WITH_CHANGE && remembersAsLong;
  }
}
