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
 * A server's lease table as it fills, and as all of it expires at once. The memory of the full
 * table, with ids of 16 bytes, is measured by the used heap after a full garbage collection, with
 * the table and without.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 1)
@Measurement(iterations = 3)
@Fork(3)
public class LeaseTableBenchmark {
  private static final double MEBIBYTE = 1 << 20;

  @Param("1000000")
  int leases;

  private ServedRows filling = new ServedRows(0);
  private ServedRows full = new ServedRows(0);

  @Setup(Level.Iteration)
  public void fill() {
    filling = new ServedRows(leases);
    full = new ServedRows(0);
    long before = bytesInUse();
    full = new ServedRows(leases);
    full.enter();
    Gauges.show("heap", (bytesInUse() - before) / MEBIBYTE, "MiB");
  }

  @Benchmark
  public void enterAll() {
    filling.enter();
  }

  @Benchmark
  public void expireAll() {
    full.expireAll();
  }

  private static long bytesInUse() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
