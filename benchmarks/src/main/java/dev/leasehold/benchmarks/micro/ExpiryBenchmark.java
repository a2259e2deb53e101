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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A search of a server's lease table that finds nothing, after the heartbeats of a tenth of a
 * second, which are not measured. The slowest searches are shown, and not only the mean.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class ExpiryBenchmark {
  @Param("1000000")
  int leases;

  private ServedRows rows = new ServedRows(0);

  @Setup
  public void enter() {
    rows = new ServedRows(leases);
    rows.enter();
  }

  @Setup(Level.Invocation)
  public void heartbeats() {
    rows.heartbeats();
  }

  @Benchmark
  public void findNothing() {
    rows.searchInVain();
  }
}
