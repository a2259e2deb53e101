package dev.leasehold.verification.publication;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.leasehold.kernel.engine.HeldLeaseAccess;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** I9: a turn changes a lease while other threads ask how far it may be trusted. */
public final class HeldLeaseRaces {
  private static final long RENEWED_TRUST = 200;

  private HeldLeaseRaces() {}

  /** Whether a reader trusts the lease, and then whether it knows that it is over. */
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "not lost yet")
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "lost meanwhile")
  @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "lost, and it is known why")
  @Outcome(expect = FORBIDDEN, desc = "not trusted, and the reason is not known")
  public static final class WhoDoesNotTrustKnowsWhy {
    private WhoDoesNotTrustKnowsWhy() {}
  }

  /** The lease. */
  @JCStressTest
  @JCStressMeta(WhoDoesNotTrustKnowsWhy.class)
  @State
  public static class LossWithReason {
    private final HeldLeaseAccess lease = new HeldLeaseAccess();

    @Actor
    public void turn() {
      lease.lose();
    }

    @Actor
    public void reader(ZZ_Result seen) {
      seen.r1 = lease.trust() > 0;
      seen.r2 = lease.isOver();
    }
  }

  /** Ends the trust first, and sets the reason a moment later. */
  @JCStressTest
  @JCStressMeta(WhoDoesNotTrustKnowsWhy.class)
  @State
  public static class CanaryReasonAMomentLater {
    private volatile boolean trusted = true;
    private volatile boolean over;

    @Actor
    public void turn() {
      trusted = false;
      Thread.onSpinWait();
      over = true;
    }

    @Actor
    public void reader(ZZ_Result seen) {
      seen.r1 = trusted;
      seen.r2 = over;
    }
  }

  /** How far a reader trusts the lease, asked twice while it is renewed and then lost. */
  @Outcome(
      id = {"100, 100", "200, 200", "0, 0"},
      expect = ACCEPTABLE,
      desc = "the same twice")
  @Outcome(
      id = {"100, 200", "200, 0", "100, 0"},
      expect = ACCEPTABLE,
      desc = "changed meanwhile")
  @Outcome(expect = FORBIDDEN, desc = "trust that was never given, or that came back")
  public static final class TrustAsItWasGiven {
    private TrustAsItWasGiven() {}
  }

  /** The lease. */
  @JCStressTest
  @JCStressMeta(TrustAsItWasGiven.class)
  @State
  public static class RenewalAndLoss {
    private final HeldLeaseAccess lease = new HeldLeaseAccess();

    @Actor
    public void turn() {
      lease.renew(RENEWED_TRUST);
      lease.lose();
    }

    @Actor
    public void reader(JJ_Result seen) {
      seen.r1 = lease.trust();
      seen.r2 = lease.trust();
    }
  }

  /** Keeps the start and the length of a grant in two fields, instead of its end. */
  @JCStressTest
  @JCStressMeta(TrustAsItWasGiven.class)
  @State
  public static class CanaryTrustInTwoFields {
    private volatile long sent;
    private volatile long lasts = HeldLeaseAccess.FIRST_TRUST;
    private volatile boolean over;

    @Actor
    public void turn() {
      sent = RENEWED_TRUST - 1;
      lasts = 1;
      over = true;
    }

    @Actor
    public void reader(JJ_Result seen) {
      seen.r1 = trust();
      seen.r2 = trust();
    }

    private long trust() {
      return over ? 0 : sent + lasts;
    }
  }

  /**
   * Whether the turn that gave the lease up saw a worker, and whether the worker, which registers
   * first, still trusted the lease. If the turn saw none and the worker still trusts the lease,
   * work goes on that no thread waits for.
   */
  @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "at work, and seen")
  @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "seen, but not at work")
  @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "no caller at work")
  @Outcome(expect = FORBIDDEN, desc = "at work under a lease that was given up before")
  public static final class NoCallerTrustsWhatWasGivenUp {
    private NoCallerTrustsWhatWasGivenUp() {}
  }

  /** The lease. */
  @JCStressTest
  @JCStressMeta(NoCallerTrustsWhatWasGivenUp.class)
  @State
  public static class GivingUp {
    private final HeldLeaseAccess lease = new HeldLeaseAccess();
    private volatile boolean atWork;

    @Actor
    public void turn(ZZ_Result seen) {
      lease.giveUp();
      seen.r1 = atWork;
    }

    @Actor
    public void worker(ZZ_Result seen) {
      atWork = true;
      seen.r2 = lease.trust() > 0;
    }
  }

  /** Correct in every order of its steps, but the end may wait in a store buffer. */
  @JCStressTest
  @JCStressMeta(NoCallerTrustsWhatWasGivenUp.class)
  @State
  public static class CanaryEndNotVolatile {
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile boolean atWork;

    @Actor
    public void turn(ZZ_Result seen) {
      over.setRelease(true);
      seen.r1 = atWork;
    }

    @Actor
    public void worker(ZZ_Result seen) {
      atWork = true;
      seen.r2 = !over.getAcquire();
    }
  }
}
