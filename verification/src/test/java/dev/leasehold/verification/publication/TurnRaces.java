package dev.leasehold.verification.publication;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import dev.leasehold.kernel.wires.SerialTurns;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Two threads bring two events each; an event counts in a plain field, as state machines do. */
public final class TurnRaces {
  private TurnRaces() {}

  /** How many events were counted. */
  @Outcome(id = "4", expect = ACCEPTABLE, desc = "each ran, and saw what the one before had done")
  @Outcome(expect = FORBIDDEN, desc = "an event was left behind, or ran beside another")
  public static final class EveryEventCounts {
    private EveryEventCounts() {}
  }

  /** Not volatile: the turns have to publish what an event changes to the next one. */
  private static final class Counter {
    private final Executor turns;
    private int count;

    Counter(Executor turns) {
      this.turns = turns;
    }

    void countTwice() {
      turns.execute(() -> count++);
      turns.execute(() -> count++);
    }
  }

  /** The turns. */
  @JCStressTest
  @JCStressMeta(EveryEventCounts.class)
  @State
  public static class Events {
    private final Counter counter = new Counter(new SerialTurns(Runnable::run));

    @Actor
    public void one() {
      counter.countTwice();
    }

    @Actor
    public void other() {
      counter.countTwice();
    }

    @Arbiter
    public void inTheEnd(I_Result seen) {
      seen.r1 = counter.count;
    }
  }

  /** Every thread runs its own events, at once. */
  @JCStressTest
  @JCStressMeta(EveryEventCounts.class)
  @State
  public static class CanaryNoTurns {
    private final Counter counter = new Counter(Runnable::run);

    @Actor
    public void one() {
      counter.countTwice();
    }

    @Actor
    public void other() {
      counter.countTwice();
    }

    @Arbiter
    public void inTheEnd(I_Result seen) {
      seen.r1 = counter.count;
    }
  }

  /** Forgets an event that arrives between the last check of the queue and the end of the stint. */
  @JCStressTest
  @JCStressMeta(EveryEventCounts.class)
  @State
  public static class CanaryEventLeftBehind {
    private final Counter counter = new Counter(new Forgetful());

    @Actor
    public void one() {
      counter.countTwice();
    }

    @Actor
    public void other() {
      counter.countTwice();
    }

    @Arbiter
    public void inTheEnd(I_Result seen) {
      seen.r1 = counter.count;
    }
  }

  private static final class Forgetful implements Executor {
    private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean running = new AtomicBoolean();

    @Override
    public void execute(Runnable event) {
      events.add(event);
      if (running.compareAndSet(false, true)) {
        runPending();
        Thread.onSpinWait();
        running.set(false);
      }
    }

    private void runPending() {
      @Nullable Runnable next = events.poll();
      while (next != null) {
        next.run();
        next = events.poll();
      }
    }
  }
}
