package dev.leasehold.fence;

/**
 * Protects one target: it remembers the highest token that it has seen for each key, and refuses
 * lower ones.
 *
 * <p>A well-formed claim never causes an exception for its token: the answer is the {@link
 * Admission}.
 */
public interface Fence {
  /** The name of the target, for the audit and the trail of refusals. */
  String target();

  /**
   * Whether the token may change the target now; if so, no lower token may from here on. This call
   * alone is advice: between the answer and the change, the caller can be paused for so long that
   * another holder replaces it. Each implementation has a way to make the change together with its
   * check.
   */
  Admission admit(Claim claim);

  /**
   * Raises the mark to the token without a change. When it returns {@code Admitted}, no change with
   * a lower token takes effect any more, and none is in progress. A successor seals its targets
   * first, and only then reads them, because the earlier holder may still be running.
   */
  Admission seal(Claim claim);

  /** How long the fence's mark lasts, and how its check is tied to the change. */
  Guarantee guarantee();
}
