package dev.leasehold.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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
 * Renews leases: a call is one second of virtual time, in which a tenth of them is renewed. So 10
 * ms for a call is one hundredth of a core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class KeeperBenchmark {
  @Param("100000")
  int leases;

  private HeldLeases held = new HeldLeases(0);

  @Setup
  public void take() throws InterruptedException {
    held = new HeldLeases(leases);
    held.take(leases);
  }

  @Benchmark
  public void second() {
    held.passSecond();
  }

  @TearDown
  public void check() {
    held.requireAllHeld();
  }
}
