package dev.leasehold.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a held lease keeps in memory on the holder's side: its key, its token, its handle, and the
 * engine's own. Measured by the used heap after a full garbage collection, with the leases and
 * without.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(3)
public class LeaseMemoryBenchmark {
  @Param("100000")
  int leases;

  /** Whether a thread is bound to each, as {@code whileHeld} does. */
  @Param({"false", "true"})
  boolean bound;

  private HeldLeases held = new HeldLeases(0);
  private long before;

  @Setup(Level.Iteration)
  public void measureWithout() {
    held = new HeldLeases(leases);
    before = bytesInUse();
  }

  @Benchmark
  public void take() throws InterruptedException {
    held.take(leases);
    if (bound) {
      held.bindAll(Thread.currentThread());
    }
  }

  /** The list of handles belongs to the caller, and was counted before. */
  @TearDown(Level.Iteration)
  public void measureWith() {
    Gauges.show("bytesPerLease", (double) (bytesInUse() - before) / leases, "B");
    held.requireAllHeld();
  }

  private static long bytesInUse() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
