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
 * Marks in this process: right beside leases that are in it too, and forgotten with them. A target
 * is kept from its first admission on: whoever is refused there must not use up the names.
 */
final class MemoryFences implements Function<String, Fence> {
  /** Beyond that many, somebody uses targets as names. */
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

  /** Of a target that has no marks yet: the first to be admitted makes it a known one. */
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

    /** The answer is the kept fence's: somebody else may have come to it first. */
    private Admission ask(Claim claim, BiFunction<Fence, Claim, Admission> question) {
      return switch (question.apply(rehearsal, claim)) {
        case Admission.Refused refused -> refused;
        case Admission.Admitted admitted -> question.apply(keep(target()), claim);
      };
    }
  }
}
