package dev.leasehold.verification.publication;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.SignalAccess;
import dev.leasehold.kernel.model.LossReason;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.IZ_Result;

/** I9: a lease is lost while threads bind their work to it, end it, or ask to be told. */
public final class LossSignalsRaces {
  private LossSignalsRaces() {}

  /** A thread that never runs, and counts how often it was interrupted. */
  static final class Interruptible extends Thread {
    private final AtomicInteger interrupts = new AtomicInteger();

    @Override
    public void interrupt() {
      interrupts.incrementAndGet();
    }

    int interrupts() {
      return interrupts.get();
    }
  }

  /** Interrupts seen when the binding was closed, and in the end. */
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "the work ended before the loss")
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "interrupted in time, once")
  @Outcome(expect = FORBIDDEN, desc = "interrupted after its end, or twice")
  public static final class NoInterruptAfterTheEnd {
    private NoInterruptAfterTheEnd() {}
  }

  /** The signals. */
  @JCStressTest
  @JCStressMeta(NoInterruptAfterTheEnd.class)
  @State
  public static class LossWhileTheWorkEnds {
    private final SignalAccess signals = new SignalAccess();
    private final Interruptible thread = new Interruptible();
    private final Lease.Binding binding = signals.bind(thread);

    @Actor
    public void turn() {
      signals.lose();
    }

    @Actor
    public void worker(II_Result seen) {
      binding.close();
      seen.r1 = thread.interrupts();
    }

    @Arbiter
    public void inTheEnd(II_Result seen) {
      seen.r2 = thread.interrupts();
    }
  }

  /** Checks whether there is work, and interrupts it a moment later. */
  @JCStressTest
  @JCStressMeta(NoInterruptAfterTheEnd.class)
  @State
  public static class CanaryInterruptAMomentLater {
    private final Interruptible thread = new Interruptible();
    private volatile boolean bound = true;

    @Actor
    public void turn() {
      if (bound) {
        Thread.onSpinWait();
        thread.interrupt();
      }
    }

    @Actor
    public void worker(II_Result seen) {
      bound = false;
      seen.r1 = thread.interrupts();
    }

    @Arbiter
    public void inTheEnd(II_Result seen) {
      seen.r2 = thread.interrupts();
    }
  }

  /** Interrupts of bound work, and whether the caller that asked for the loss was told. */
  @Outcome(id = "1, true", expect = ACCEPTABLE, desc = "interrupted once, and told")
  @Outcome(expect = FORBIDDEN, desc = "a loss that was missed, or told twice")
  public static final class NoLossIsMissed {
    private NoLossIsMissed() {}
  }

  /** The signals. */
  @JCStressTest
  @JCStressMeta(NoLossIsMissed.class)
  @State
  public static class LossWhileTheWorkBegins {
    private final SignalAccess signals = new SignalAccess();
    private final Interruptible thread = new Interruptible();
    private boolean told;

    @Actor
    public void turn() {
      signals.lose();
    }

    @Actor
    public void worker(IZ_Result seen) {
      signals.bind(thread);
      CompletionStage<LossReason> lost = signals.whenLost();
      lost.thenRun(() -> told = true);
    }

    @Arbiter
    public void inTheEnd(IZ_Result seen) {
      seen.r1 = thread.interrupts();
      seen.r2 = told;
    }
  }

  /** Correct in every order of its steps, but each side's write may wait in its store buffer. */
  @JCStressTest
  @JCStressMeta(NoLossIsMissed.class)
  @State
  public static class CanaryEachTellsThenLooks {
    private final Interruptible thread = new Interruptible();
    private final AtomicBoolean bound = new AtomicBoolean();
    private final AtomicBoolean lost = new AtomicBoolean();
    private final AtomicBoolean cancelled = new AtomicBoolean();

    @Actor
    public void turn() {
      lost.setRelease(true);
      if (bound.getAcquire()) {
        cancel();
      }
    }

    @Actor
    public void worker(IZ_Result seen) {
      bound.setRelease(true);
      if (lost.getAcquire()) {
        cancel();
      }
    }

    private void cancel() {
      if (cancelled.compareAndSet(false, true)) {
        thread.interrupt();
      }
    }

    @Arbiter
    public void inTheEnd(IZ_Result seen) {
      seen.r1 = thread.interrupts();
      seen.r2 = cancelled.get();
    }
  }
}
