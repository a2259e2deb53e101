package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.kernel.LeaseCharter.Unsealed;
import java.util.Optional;

/**
 * A target that is raised to the new token before the holder's code reads or writes anything: that
 * a new owner has started does not mean that the old one has stopped.
 *
 * @param whenUnsealed empty: as the charter of the kind says for this target, else it blocks
 * @param guarantee what the target's fence says of itself, where it is one
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

  /** Whether the lease is not had unless the target is sealed. */
  boolean blocks() {
    return whenUnsealed.orElse(Unsealed.BLOCKS) == Unsealed.BLOCKS;
  }
}
