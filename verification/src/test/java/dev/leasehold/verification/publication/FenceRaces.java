package dev.leasehold.verification.publication;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import java.time.Instant;
import java.time.InstantSource;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** I4: a holder changes the target while its successor seals it and then reads. */
public final class FenceRaces {
  private static final RefusalTrail TRAIL = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  private static final LeaseKey KEY = LeaseKey.of("lock", "a");
  private static final Claim OLD = Claim.of(KEY, new Token(1));
  private static final Claim NEW = Claim.of(KEY, new Token(2));

  private FenceRaces() {}

  /** What the successor read after its seal, and the final content. */
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the change came too late")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "the change was made before, and seen")
  @Outcome(expect = FORBIDDEN, desc = "changed behind the seal, or not seen")
  public static final class WhatIsReadBehindTheSealStands {
    private WhatIsReadBehindTheSealStands() {}
  }

  /** The fence. The old holder reports its successor itself, so both kinds of answer occur. */
  @JCStressTest
  @JCStressMeta(WhatIsReadBehindTheSealStands.class)
  @State
  public static class ChangeAndSeal {
    private final MemoryFence fence = new MemoryFence("slot", TRAIL);

    // Not volatile: the fence itself has to publish what is changed through it.
    private int slot;

    @Actor
    public void holder() {
      fence.change(OLD, () -> slot = 1);
      fence.admit(NEW);
    }

    @Actor
    public void successor(II_Result seen) {
      fence.seal(NEW);
      seen.r1 = slot;
    }

    @Arbiter
    public void inTheEnd(II_Result seen) {
      seen.r2 = slot;
    }
  }

  /** Uses the fence as advice: another change can come between the answer and the change. */
  @JCStressTest
  @JCStressMeta(WhatIsReadBehindTheSealStands.class)
  @State
  public static class CanaryAdmitThenChange {
    private final MemoryFence fence = new MemoryFence("slot", TRAIL);
    private volatile int slot;

    @Actor
    public void holder() {
      if (fence.admit(OLD) instanceof Admission.Admitted) {
        slot = 1;
      }
    }

    @Actor
    public void successor(II_Result seen) {
      fence.seal(NEW);
      seen.r1 = slot;
    }

    @Arbiter
    public void inTheEnd(II_Result seen) {
      seen.r2 = slot;
    }
  }
}
