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
import org.openjdk.jmh.annotations.Warmup;

/**
 * A server's lease table under heartbeats: a call is a tenth of a second of virtual time, in which
 * a hundredth of the rows gets a heartbeat, and one search finds nothing. So 1 ms for a call is one
 * hundredth of a core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HeartbeatBenchmark {
  @Param("1000000")
  int leases;

  private ServedRows rows = new ServedRows(0);

  @Setup
  public void enter() {
    rows = new ServedRows(leases);
    rows.enter();
  }

  @Benchmark
  public void tenthOfSecond() {
    rows.heartbeats();
    rows.searchInVain();
  }
}
