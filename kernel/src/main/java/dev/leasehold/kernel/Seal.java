package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.kernel.LeaseCharter.Unsealed;

/**
 * A target that is raised to the new token before the holder's code reads or writes anything: that
 * a new owner has started does not mean that the old one has stopped.
 */
public record Seal(String target, Unsealed whenUnsealed, Action action) {
  /** Raises the target's mark. It may block, and fails by an exception. */
  @FunctionalInterface
  public interface Action {
    Admission seal(Claim claim) throws Exception;
  }

  /** A fence that must be sealed, or the lease is not had. */
  public static Seal of(Fence fence) {
    return new Seal(fence.target(), Unsealed.BLOCKS, fence::seal);
  }
}
