package dev.leasehold.benchmarks.micro;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Shows figures beside time: the processor time of a call, measured for the whole JVM, so that its
 * garbage collector counts and other processes do not; and a benchmark's own values as a mean over
 * iterations, since JMH can only add up its counters.
 *
 * <p>It is a profiler to JMH: {@code -prof dev.leasehold.benchmarks.micro.Gauges}.
 */
public final class Gauges implements InternalProfiler {
  private static final ConcurrentLinkedQueue<ScalarResult> SHOWN = new ConcurrentLinkedQueue<>();
  private static final double NANOS_PER_MICRO = 1_000;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private long cpuNanosBefore;

  /** Shows a value with the iteration that is running or about to end. */
  static void show(String name, double value, String unit) {
    SHOWN.add(new ScalarResult(name, value, unit, AggregationPolicy.AVG));
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    SHOWN.clear();
    cpuNanosBefore = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double cpuNanos = system.getProcessCpuTime() - cpuNanosBefore;
    long calls = Math.max(1, result.getMetadata().getAllOps());
    show("cpu", cpuNanos / calls / NANOS_PER_MICRO, "us/op");
    return List.copyOf(SHOWN);
  }

  @Override
  public String getDescription() {
    return "what benchmarks measure beside time";
  }
}
