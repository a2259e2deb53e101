package dev.leasehold.server;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceFullException;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Marks in the memory of this process: suitable beside leases that are in its memory too, and lost
 * with them. A target is kept from its first admission on, so that refused callers cannot use up
 * the limit of targets.
 */
final class MemoryFences implements Function<String, Fence> {
  /** A caller that reaches this limit is probably using a new target for every write. */
  static final int MAX_TARGETS = 10_000;

  private static final int REFUSALS_KEPT = 100;

  private final IssuedTokens issued;
  private final Map<String, Fence> known = new ConcurrentHashMap<>();

  MemoryFences(IssuedTokens issued) {
    this.issued = issued;
  }

  @Override
  public Fence apply(String target) {
    Fence fence = known.get(target);
    return fence == null ? new Unknown(make(target)) : fence;
  }

  private MemoryFence make(String target) {
    return new MemoryFence(target, new RefusalTrail(InstantSource.system(), REFUSALS_KEPT), issued);
  }

  private Fence keep(String target) {
    Fence fence = known.get(target);
    if (fence != null) {
      return fence;
    }
    if (known.size() >= MAX_TARGETS) {
      throw new FenceFullException(target, 0);
    }
    return known.computeIfAbsent(target, this::make);
  }

  /** A target without marks. Its first admission makes it a known target. */
  private final class Unknown implements Fence {
    private final Fence rehearsal;

    Unknown(Fence rehearsal) {
      this.rehearsal = rehearsal;
    }

    @Override
    public String target() {
      return rehearsal.target();
    }

    @Override
    public Admission admit(Claim claim) {
      return ask(claim, Fence::admit);
    }

    @Override
    public Admission seal(Claim claim) {
      return ask(claim, Fence::seal);
    }

    @Override
    public Guarantee guarantee() {
      return rehearsal.guarantee();
    }

    /** The kept fence decides, because another thread may have been admitted there first. */
    private Admission ask(Claim claim, BiFunction<Fence, Claim, Admission> question) {
      return switch (question.apply(rehearsal, claim)) {
        case Admission.Refused refused -> refused;
        case Admission.Admitted admitted -> question.apply(keep(target()), claim);
      };
    }
  }
}
