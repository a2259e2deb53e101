package dev.leasehold.fence;

/**
 * What stands before one target: it remembers the highest token it has seen for each key, and
 * refuses lower ones.
 *
 * <p>A well-formed claim never causes an exception for its token: the answer is the {@link
 * Admission}.
 */
public interface Fence {
  /** The target that it stands before, as the audit and the trail of refusals name it. */
  String target();

  /**
   * Whether the token may change the target now; if so, nothing below it may from here on. On its
   * own this is advice: between the answer and the change, the caller can be paused for as long as
   * it takes to be replaced. An implementation offers a way to make the change with its check.
   */
  Admission admit(Claim claim);

  /**
   * Raises the mark to the token without a change. When it returns {@code Admitted}, no change with
   * a lower token takes effect any more, and none is under way. A successor seals its targets
   * first, and only then reads them: that a new owner has started does not mean that the old one
   * has stopped.
   */
  Admission seal(Claim claim);

  /** How long its mark lasts, and how its check is tied to the change. */
  Guarantee guarantee();
}
