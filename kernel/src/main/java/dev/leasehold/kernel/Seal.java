package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import java.util.Optional;

/**
 * A target whose mark is raised to the new token before the holder's code reads or writes anything,
 * because the earlier holder may still be running.
 *
 * @param whenUnsealed empty: as the charter of the kind says for this target, else it blocks
 * @param guarantee the guarantee of the target's fence, if it is one
 */
public record Seal(
    String target, Optional<Unsealed> whenUnsealed, Optional<Guarantee> guarantee, Action action) {
  /** Raises the target's mark. It may block, and fails by an exception. */
  @FunctionalInterface
  public interface Action {
    Admission seal(Claim claim) throws Exception;
  }

  public static Seal of(Fence fence) {
    return new Seal(fence.target(), Optional.empty(), Optional.of(fence.guarantee()), fence::seal);
  }

  public static Seal of(String target, Action action) {
    return new Seal(target, Optional.empty(), Optional.empty(), action);
  }

  public Seal whenUnsealed(Unsealed policy) {
    return new Seal(target, Optional.of(policy), guarantee, action);
  }

  /** Whether the caller gets the lease only if the target is sealed. */
  boolean blocks() {
    return whenUnsealed.orElse(Unsealed.BLOCKS) == Unsealed.BLOCKS;
  }
}
